import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable, Writable } from 'node:stream'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import {
  fillInstallation,
  openBackups,
  type Place,
  readContent,
  SIGNATURE_SIZE,
} from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { sqliteFile } from '../database/open.ts'
import { openKeys } from '../platform/keys.ts'
import { backUp } from './back-up.ts'
import { openBackupFile, writeBackupFile } from './backup-file.ts'
import { restore } from './restore.ts'

const nothing = async () => {}

suite('A backup that is refused', async () => {
  const testApp = await openTestApp()
  const { config, keys } = testApp.services
  const { backups } = keys
  const { dependencies, newFile, makeBackup, newPlace, restoreInto } = await openBackups(testApp)
  await fillInstallation(testApp)

  /** Replaces a part of a backup, and keeps its signature. */
  async function tamper(change: (bytes: Buffer) => Buffer): Promise<string> {
    const [file, changed] = [await makeBackup(), newFile()]
    await writeFile(changed, change(await readFile(file)))
    return changed
  }

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

  test('a folder and a pipe are refused at once, as no backup', async () => {
    const pipe = newFile()
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
    for (const file of [pipe, dirname(pipe)])
      await assert.rejects(openBackupFile(file, backups), /is not a file/)
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
    const place = `${newFile()}.sqlite`
    await writeFile(place, readContent(await readFile(file)))
    return place
  }
})

async function assertUntouched(place: Place) {
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
  const { rows } = await client.query(`
    select relname from pg_class where relnamespace = 'public'::regnamespace
    union all
    select proname from pg_proc where pronamespace = 'public'::regnamespace
      and oid not in (select objid from pg_depend where deptype = 'e')`)
  await client.end()
  assert.deepEqual(rows, [])
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
