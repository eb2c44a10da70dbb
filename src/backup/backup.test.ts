import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { fillInstallation, openBackups, readContent } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { readFile as readPicture } from '../pictures/store.server.ts'
import { backUp } from './back-up.ts'

const SECRET = 'a secret that the backup must not contain'

suite('A backup', async () => {
  const testApp = await openTestApp()
  const { config, db, settings } = testApp.services
  const { folder, dependencies, newFile, makeBackup, newPlace, restoreInto } = await openBackups(testApp)
  await settings.write('recaptcha_secret_key', SECRET)
  await settings.write('smtp', SECRET)
  await settings.write('mail_waiting', SECRET)
  const picture = await fillInstallation(testApp)

  test('a restored installation holds the same rows, and can be added to', async () => {
    const copy = await restoreInto(await newPlace(), await makeBackup())
    const read = (from: typeof db) => from.selectFrom('messages').selectAll().orderBy('id').execute()
    assert.deepEqual(await read(copy), await read(db))
    assert.deepEqual(await readPicture(copy, basename(picture.path('avif'))), picture.bytes)
    await copy.deleteFrom('messages').execute()
    await copy.destroy()
  })

  test('an installation without any enquiry can be backed up and restored', async () => {
    const empty = await newPlace()
    await (await openDatabase(empty)).destroy()
    const copy = await restoreInto(await newPlace(), await makeBackup(empty))
    assert.deepEqual(await copy.selectFrom('messages').select('id').execute(), [])
    await copy.destroy()
  })

  test('a backup is consistent while enquiries keep arriving', async () => {
    let isOver = false
    const visitors = (async () => {
      while (!isOver) await testApp.browser().call(enquiries.contact, visitor)
    })()
    const file = await makeBackup()
    isOver = true
    await visitors
    const copy = await restoreInto(await newPlace(), file)
    const { rows } = await sql`select messages.id from messages left join outbox on message_id = messages.id
      where outbox.id is null`.execute(copy)
    assert.deepEqual(rows, [], 'no enquiry without its email')
    await copy.destroy()
  })

  test('a backup holds no secret setting in plain text', async () => {
    const text = readContent(await readFile(await makeBackup())).toString()
    assert.ok(text.includes('Zoë 3 💌'))
    for (const form of ['utf8', 'base64', 'base64url', 'hex'] as const)
      assert.ok(!text.includes(Buffer.from(SECRET).toString(form)))
  })

  test('a backup to a missing folder is refused in a plain sentence', async () => {
    await assert.rejects(backUp(config, join(newFile(), 'nightly', 'landfall.backup'), dependencies), {
      message: /^The folder .*nightly does not exist. Create it, then try again.$/,
    })
  })

  test('of two backups to one file at once, one is made and the other is refused', async () => {
    const file = newFile()
    const begin = () => backUp(config, file, dependencies)
    const results = await Promise.allSettled([begin(), begin(), begin()])
    const reasons = results.flatMap(result => (result.status === 'rejected' ? [String(result.reason)] : []))
    assert.equal(reasons.length, 2)
    for (const reason of reasons) assert.match(reason, /exists already: .* Choose another name/)
    await (await restoreInto(await newPlace(), file)).destroy()
  })

  test('an interrupted backup leaves no file behind', async () => {
    const before = await readdir(folder)
    await assert.rejects(backUp(config, newFile(), { ...dependencies, signal: AbortSignal.abort() }))
    assert.deepEqual(await readdir(folder), before)
  })

  test('nobody else can read a backup, also while it is written (N2)', async () => {
    const umask = process.umask(0)
    try {
      const modes = new Set<number>()
      const file = newFile()
      const look = async () => {
        for (const name of await readdir(folder))
          if (name.startsWith(basename(file))) modes.add((await stat(join(folder, name))).mode & 0o777)
      }
      const timer = setInterval(() => void look().catch(() => {}), 1)
      await backUp(config, file, dependencies)
      clearInterval(timer)
      await look()
      assert.deepEqual([...modes], [0o600])
    } finally {
      process.umask(umask)
    }
  })

  test('a backup holds nothing that was deleted before, even of a database that left it in its free space (H2)', {
    skip: config.databaseUrl !== null,
  }, async () => {
    const place = await newPlace()
    await (await openDatabase(place)).destroy()
    leaveDeletedText(sqliteFile(place))
    assert.ok((await readFile(sqliteFile(place))).includes('left behind'))
    const content = readContent(await readFile(await makeBackup(place)))
    assert.ok(!content.includes('left behind'))
    assert.ok(content.includes('kept text'))
  })
})

/** As a version without `secure_delete` left the file. */
function leaveDeletedText(file: string) {
  const db = new DatabaseSync(file)
  db.exec('pragma secure_delete = off; pragma user_version = 0')
  const insert = db.prepare("insert into settings (key, value, updated_at) values (?, ?, '')")
  for (let row = 0; row < 200; row++) insert.run(`deleted ${row}`, 'left behind '.repeat(40))
  insert.run('kept', 'kept text')
  db.exec("delete from settings where key like 'deleted%'")
  db.close()
}
