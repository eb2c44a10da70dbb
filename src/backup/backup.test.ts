import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { openDatabase } from '../database/open.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { openArchive, writeArchive } from './archive.ts'
import { archivedTables } from './archived-tables.ts'
import { lockSqlite } from './lock-sqlite.ts'
import { restore } from './restore.ts'
import { openSnapshot, openSqlite } from './snapshot.ts'

const SECRET = 'a secret that the archive must not contain'
const silent = () => {}

suite('A backup', async () => {
  const testApp = await openTestApp()
  const { config, db, settings } = testApp.services
  const folder = await mkdtemp(join(tmpdir(), 'landfall-backup-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await settings.write('recaptcha_secret_key', SECRET)
  for (let count = 0; count < 7; count++)
    await testApp.browser().call(enquiries.contact, { ...visitor, name: `Zoë ${count} 💌` })

  let files = 0
  async function backUp(): Promise<string> {
    const file = join(folder, `${++files}.backup`)
    const snapshot = await openSnapshot(config)
    await writeArchive(snapshot, file, silent).finally(() => snapshot.close())
    return file
  }

  async function newPlace() {
    const databaseUrl = await createTestDatabase()
    if (databaseUrl) after(() => dropTestDatabase(databaseUrl))
    return { dataDir: await mkdtemp(join(folder, 'data-')), databaseUrl }
  }

  test('a backup holds every table of the database', async () => {
    const known = new Set<string>(archivedTables.map(({ name }) => name))
    const tables = await db.introspection.getTables()
    const others = tables.map(({ name }) => name).filter(name => !known.has(name))
    // What the engines derive, and what each installation has of its own.
    const leftOut = /^(dummy_login_attempts|rate_limits)$/
    assert.deepEqual(
      others.filter(name => !leftOut.test(name)),
      [],
    )
    assert.equal(known.size, archivedTables.length)
  })

  test('a restored installation holds the same rows, and can be searched and added to', async () => {
    const place = await newPlace()
    const archive = await openArchive(await backUp())
    await restore(archive, place, silent)
    const copy = await openDatabase(place)
    const read = (from: typeof db) => from.selectFrom('messages').selectAll().orderBy('id').execute()
    assert.deepEqual(await read(copy), await read(db))
    await copy.deleteFrom('messages').execute()
    await copy.destroy()
  })

  test('a backup is consistent while enquiries keep arriving', async () => {
    let isOver = false
    const visitors = (async () => {
      while (!isOver) await testApp.browser().call(enquiries.contact, visitor)
    })()
    const file = await backUp()
    isOver = true
    await visitors
    const place = await newPlace()
    await restore(await openArchive(file), place, silent)
    const copy = await openDatabase(place)
    const { rows } = await sql`select messages.id from messages left join outbox on message_id = messages.id
      where outbox.id is null`.execute(copy)
    assert.deepEqual(rows, [], 'no enquiry without its email')
    await copy.destroy()
  })

  test('a backup holds no secret setting in plain text', async () => {
    const text = gunzipSync(await readFile(await backUp())).toString()
    assert.ok(text.includes('Zoë 3 💌'))
    for (const form of ['utf8', 'base64', 'base64url', 'hex'] as const)
      assert.ok(!text.includes(Buffer.from(SECRET).toString(form)))
  })

  test('a restore is refused over an existing installation, and when the archive is damaged anywhere', async () => {
    const file = await backUp()
    const snapshot = await openSnapshot(config)
    await assert.rejects(writeArchive(snapshot, file, silent), /EEXIST/)
    await snapshot.close()
    await assert.rejects(async () => await restore(await openArchive(file), config, silent), /already/)
    const text = gunzipSync(await readFile(file)).toString()
    const damaged = join(folder, 'damaged.backup')
    for (const [change, expected] of [
      [text.replace('Zoë 3', 'Zoe 3'), /damaged/],
      [text.replace(/\{"created_at"[^\n]*Zoë 4[^\n]*\n/, ''), /damaged/],
      [text.slice(0, -30), /cannot be read|too soon|damaged/],
      [text.replace('"landfall":1', '"landfall":2'), /not an archive/],
      [text.replace(/"migration":"[^"]*"/, '"migration":"9999-from-the-future"'), /does not know/],
      ['', /too soon/],
    ] as const) {
      assert.notEqual(change, text)
      await writeFile(damaged, gzipSync(change))
      const place = await newPlace()
      await assert.rejects(async () => await restore(await openArchive(damaged), place, silent), expected)
      assert.ok(!existsSync(join(place.dataDir, 'landfall.sqlite')))
    }
    await writeFile(damaged, 'not compressed at all')
    await assert.rejects(openArchive(damaged), /cannot be read/)
  })

  test('an interrupted backup leaves no file behind', async () => {
    const file = join(folder, 'interrupted.backup')
    const snapshot = await openSnapshot(config)
    await assert.rejects(writeArchive(snapshot, file, silent, AbortSignal.abort()))
    await snapshot.close()
    assert.ok(!existsSync(file))
    assert.ok(!existsSync(`${file}.part`))
  })

  test('a restore can be interrupted until it is complete', {
    skip: config.databaseUrl !== null,
  }, async () => {
    const archive = await openArchive(await backUp())
    const place = await newPlace()
    const abort = new AbortController()
    const giveUpLate = (what: string) => what === 'users, compared' && abort.abort()
    await assert.rejects(restore(archive, place, giveUpLate, abort.signal), { name: 'AbortError' })
    await archive.close()
    assert.deepEqual(await readdir(place.dataDir), [])
  })

  test('a move locks the installation, and a backup does not', {
    skip: config.databaseUrl !== null,
  }, async () => {
    const file = join(config.dataDir, 'landfall.sqlite')
    assert.throws(() => lockSqlite(file), /Landfall is running/)
    await testApp.browser().call(enquiries.contact, visitor)
    const place = await newPlace()
    await restore(await openArchive(await backUp()), place, silent)
    const moving = join(place.dataDir, 'landfall.sqlite')
    const hold = lockSqlite(moving)
    await assert.rejects(openDatabase(place), /locked/)
    const source = openSqlite(moving)
    for await (const users of source.rows({ name: 'users', key: ['id'] })) assert.equal(users.length, 1)
    await source.close()
    hold.release()
  })
})
