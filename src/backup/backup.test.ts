import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable, Writable } from 'node:stream'
import { after, suite, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { storePicture } from '../../tests/support/stored-picture.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { openKeys } from '../keys.ts'
import { readFile as readPicture } from '../pictures/store.server.ts'
import { backUp } from './back-up.ts'
import { openBackupFile, writeBackupFile } from './backup-file.ts'
import { restore } from './restore.ts'

const SECRET = 'a secret that the backup must not contain'
const SIGNATURE_SIZE = 32
const nothing = async () => {}

suite('A backup', async () => {
  const testApp = await openTestApp()
  const { config, clock, db, keys, settings } = testApp.services
  const { backups } = keys
  const folder = await mkdtemp(join(tmpdir(), 'landfall-backup-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await settings.write('recaptcha_secret_key', SECRET)
  await settings.write('smtp', SECRET)
  for (let count = 0; count < 7; count++)
    await testApp.browser().call(enquiries.contact, { ...visitor, name: `Zoë ${count} 💌` })

  const picture = await storePicture(testApp.services, 300_000)

  let files = 0
  const newFile = () => join(folder, `${++files}.backup`)
  const dependencies = { key: backups[0], clock, progress: () => {} }

  async function makeBackup(where: Pick<typeof config, 'dataDir' | 'databaseUrl'> = config): Promise<string> {
    const file = newFile()
    await backUp(where, file, dependencies)
    return file
  }

  async function newPlace() {
    const databaseUrl = await createTestDatabase()
    if (databaseUrl) after(() => dropTestDatabase(databaseUrl))
    return { dataDir: await mkdtemp(join(folder, 'data-')), databaseUrl }
  }

  async function restoreInto(place: Awaited<ReturnType<typeof newPlace>>, file: string) {
    await restore(await openBackupFile(file, backups), place, nothing)
    return await openDatabase(place)
  }

  /** Replaces a part of a backup, and keeps its signature. */
  async function tamper(change: (bytes: Buffer) => Buffer): Promise<string> {
    const [file, changed] = [await makeBackup(), newFile()]
    await writeFile(changed, change(await readFile(file)))
    return changed
  }

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

  test('a changed backup is refused before a restore writes anything, wherever it was changed (B3)', async () => {
    const lineOf = (bytes: Buffer) => bytes.indexOf('\n') + 1
    const rewrite = (from: string, to: string) => (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
    const flip = (at: (bytes: Buffer) => number) => (bytes: Buffer) => {
      bytes.writeUInt8(bytes.readUInt8(at(bytes)) ^ 1, at(bytes))
      return bytes
    }
    for (const [change, expected] of [
      [rewrite('"createdAt":"2', '"createdAt":"3'), /is damaged/],
      [rewrite('"engine":"', '"engine": "'), /is damaged/],
      [flip(lineOf), /is damaged/],
      [flip(({ length }) => Math.floor(length / 2)), /is damaged/],
      [flip(({ length }) => length - SIGNATURE_SIZE - 1), /is damaged/],
      [flip(({ length }) => length - 1), /is damaged/],
      [(bytes: Buffer) => bytes.subarray(0, -1), /is damaged/],
      [(bytes: Buffer) => bytes.subarray(0, bytes.length / 2), /is damaged/],
      [(bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n')]), /is damaged/],
      // What an attacker without the key can make: other content, with the old signature or none.
      [replaceContent, /is damaged/],
      [(bytes: Buffer) => bytes.subarray(0, lineOf(bytes)), /not a backup/],
      [rewrite('"landfall":2', '"landfall":1'), /not a backup/],
      [() => Buffer.from(''), /not a backup/],
      [() => gzipSync('{"landfall":1}\n'), /not a backup/],
    ] as const)
      await assert.rejects(openBackupFile(await tamper(change), backups), expected, String(change))
  })

  test('a backup that was signed with another secret key is refused, also one of no key (B3)', async () => {
    const secretKey = 'another secret of thirty-two characters'
    const file = await makeBackup()
    const foreign = openKeys({ ...config, secretKey }).backups
    for (const others of [foreign, []])
      await assert.rejects(openBackupFile(file, others), /signed with another secret key.*DATA_DIR/)
    // The name of the key is no proof.
    const [{ key }] = foreign
    await assert.rejects(openBackupFile(file, [{ id: backups[0].id, key }]), /is damaged/)
    assert.ok(await openBackupFile(file, [...foreign, ...backups]))
  })

  test('a backup that changes after its signature was verified is not restored (B3)', async () => {
    const file = await makeBackup()
    const backup = await openBackupFile(file, backups)
    // A byte of gzip's header that no program reads.
    const bytes = await readFile(file)
    const at = bytes.indexOf('\n') + 1 + 9
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    await writeFile(file, bytes)
    const place = await newPlace()
    await assert.rejects(restore(backup, place, nothing), /is damaged/)
    await assertUntouched(place)
  })

  test('nothing is read out of a part of a backup that has changed since it was verified (B3)', async () => {
    const file = newFile()
    // More than is read at once, and nothing that gzip makes smaller.
    const content = randomBytes(4 << 20)
    await writeFile(file, '')
    const header = { engine: 'SQLite', migration: '', createdAt: '' } as const
    await writeBackupFile(file, backups[0], header, Readable.from([content]))
    const backup = await openBackupFile(file, backups)
    const bytes = await readFile(file)
    const at = bytes.length >> 1
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    await writeFile(file, bytes)
    const read: Buffer[] = []
    const sink = new Writable({ write: (chunk, _, done) => done(void read.push(chunk)) })
    await assert.rejects(backup.extractTo(sink), /is damaged/)
    const beginning = Buffer.concat(read)
    assert.ok(beginning.length > 0)
    assert.ok(beginning.equals(content.subarray(0, beginning.length)))
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

  test('a restore is refused over an existing installation, and for a schema from the future', async () => {
    const file = await makeBackup()
    await assert.rejects(backUp(config, file, dependencies), /exists already: .* Choose another name/)
    const backup = await openBackupFile(file, backups)
    await assert.rejects(restore(backup, config, nothing), /already/)
    const place = await newPlace()
    const future = { ...backup, migration: '9999-from-the-future' }
    await assert.rejects(restore(future, place, nothing), /does not know/)
    const other = config.databaseUrl ? 'SQLite' : 'PostgreSQL'
    await assert.rejects(restore({ ...backup, engine: other }, place, nothing), /The backup is of/)
    await assertUntouched(place)
  })

  test('a restore that fails or is interrupted leaves nothing, however late', async () => {
    const file = await makeBackup()
    const place = await newPlace()
    const fail = () => Promise.reject(new Error('too late'))
    await assert.rejects(restore(await openBackupFile(file, backups), place, fail), /too late/)
    await assertUntouched(place)
    await assert.rejects(restore(await openBackupFile(file, backups), place, nothing, AbortSignal.abort()), {
      name: 'AbortError',
    })
    await assertUntouched(place)
    await (await restoreInto(place, file)).destroy()
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
          if (name.startsWith(`${files}.backup`)) modes.add((await stat(join(folder, name))).mode & 0o777)
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

  test('a database that was damaged before the backup is not restored', {
    skip: config.databaseUrl !== null,
  }, async () => {
    const damaged = await newPlace()
    await copyFile(await extract(await makeBackup()), sqliteFile(damaged))
    await chmod(sqliteFile(damaged), 0o600)
    await damage(sqliteFile(damaged))
    const place = await newPlace()
    const backup = await openBackupFile(await makeBackup(damaged), backups)
    await assert.rejects(restore(backup, place, nothing), /was damaged when it was backed up/)
    await assertUntouched(place)
  })

  async function extract(file: string): Promise<string> {
    const place = join(folder, `${++files}.sqlite`)
    await writeFile(place, readContent(await readFile(file)))
    return place
  }

  async function assertUntouched(place: Awaited<ReturnType<typeof newPlace>>) {
    const files = await readdir(place.dataDir)
    assert.deepEqual(
      files.filter(name => name !== 'landfall.lock'),
      [],
    )
    if (!place.databaseUrl) return
    const client = new pg.Client({ connectionString: place.databaseUrl })
    // The database is dropped soon, perhaps before the connection has closed.
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public'")
    await client.end()
    assert.deepEqual(rows, [])
  }
})

/** What the engine wrote. */
function readContent(bytes: Buffer): Buffer {
  return gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1, -SIGNATURE_SIZE))
}

function replaceContent(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\n') + 1
  const content = gzipSync(Buffer.from(readContent(bytes).toString('latin1').replace('Zo', 'Za'), 'latin1'))
  return Buffer.concat([bytes.subarray(0, end), content, bytes.subarray(-SIGNATURE_SIZE)])
}

/** Overwrites the first page of a table that a backup copies without reading its rows. */
async function damage(file: string) {
  const db = new DatabaseSync(file)
  const root = Number(
    db.prepare("select rootpage from sqlite_schema where name = 'messages'").get()?.rootpage,
  )
  const size = Number(db.prepare('pragma page_size').get()?.page_size)
  db.close()
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0xff, (root - 1) * size, root * size))
}

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
