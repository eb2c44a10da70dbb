import assert from 'node:assert/strict'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Kysely } from 'kysely'
import pg from 'pg'
import { readReplaced } from '../../scripts/erased-since.ts'
import { openBackups } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { until } from '../../tests/support/until.ts'
import { lockFolder } from '../database/folder-lock.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { postgresDialect } from '../database/postgres/dialect.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import type { Tables } from '../database/tables.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { systemClock } from '../platform/clock.ts'
import { openBackupFile } from './backup-file.ts'
import { restore } from './restore.ts'

const nothing = async () => {}
const fail = () => Promise.reject(new Error('too late'))

suite('A restore', async () => {
  const testApp = await openTestApp()
  const { config, keys } = testApp.services
  const isSqlite = config.databaseUrl === null
  const { makeBackup, newPlace } = await openBackups(testApp)
  await testApp.browser().call(enquiries.contact, visitor)
  const backup = await open(await makeBackup())

  async function open(file: string) {
    return await openBackupFile(file, keys.backups)
  }

  test('a restore is refused beside any file of an earlier database, and names all of them (H2)', {
    skip: !isSqlite,
  }, async () => {
    for (const endings of [[''], ['-wal'], ['-shm'], ['-journal'], ['', '-wal', '-shm', '-journal']]) {
      const place = await newPlace()
      const files = endings.map(ending => sqliteFile(place) + ending)
      for (const file of files) await writeFile(file, 'of before')
      await assert.rejects(restore(backup, place, nothing), error =>
        String(error).includes(`already, or a part of one: ${files.join(', ')}. Move all`),
      )
      for (const file of files) assert.equal(await readFile(file, 'utf8'), 'of before')
    }
  })

  test('Landfall does not start where a database was moved away without its log, which SQLite would delete', {
    skip: !isSqlite,
  }, async () => {
    const place = await newPlace()
    const log = `${sqliteFile(place)}-wal`
    await writeFile(log, 'the newest changes')
    await assert.rejects(openDatabase(place), error => String(error).includes(`are there: ${log}. They may`))
    assert.deepEqual(await readdir(place.dataDir), ['landfall.sqlite-wal'])
  })

  test('the erase-again list of a database that was moved without its log is not read (H2)', {
    skip: !isSqlite,
  }, async () => {
    const place = await newPlace()
    await (await openDatabase(place)).destroy()
    const moved = join(place.dataDir, 'before.sqlite')
    await rename(sqliteFile(place), moved)
    assert.deepEqual((await readReplaced(moved)).erased, [])
    await writeFile(`${sqliteFile(place)}-wal`, 'the newest erasures')
    await assert.rejects(readReplaced(moved), /landfall\.sqlite-wal\. They may hold its newest changes/)
  })

  test('a restore locks the data folder from its beginning to its end (N7)', {
    skip: !isSqlite,
  }, async () => {
    const place = await newPlace()
    const lock = lockFolder(place.dataDir, systemClock)
    await assert.rejects(restore(backup, place, nothing), /already runs on DATA_DIR/)
    lock.release()
    await restore(backup, place, async () => {
      assert.throws(() => lockFolder(place.dataDir, systemClock), /already runs on DATA_DIR/)
    })
    lockFolder(place.dataDir, systemClock).release()
  })

  test('a restore overwrites no database that was created meanwhile', { skip: !isSqlite }, async () => {
    const place = await newPlace()
    const create = () => writeFile(sqliteFile(place), 'another database')
    await assert.rejects(restore(backup, place, create), /landfall\.sqlite exists already\. Move it away/)
    assert.equal(await readFile(sqliteFile(place), 'utf8'), 'another database')
    assert.deepEqual((await readdir(place.dataDir)).sort(), ['landfall.lock', 'landfall.sqlite'])
  })

  test('a restored database whose changes are still in its log is not put in place (H2)', {
    skip: !isSqlite,
  }, async () => {
    const place = await newPlace()
    const reader = new DatabaseSync(':memory:')
    const holdLog = async () =>
      reader.exec(`attach '${sqliteFile(place)}.restoring' as it; begin;
      select count(*) from it.messages`)
    await assert.rejects(restore(backup, place, holdLog), /not complete: SQLite has left .*\.restoring-wal/)
    reader.close()
    assert.deepEqual(await readdir(place.dataDir), ['landfall.lock'])
    await writeFile(`${sqliteFile(place)}.restoring-journal`, 'of an interrupted restore')
    await restore(backup, place, nothing)
    assert.deepEqual((await readdir(place.dataDir)).sort(), ['landfall.lock', 'landfall.sqlite'])
  })

  test('a restore that fails leaves no table of an older backup or of the migrations after it', async () => {
    const older = await newPlace()
    const { databaseUrl } = older
    const dialect = databaseUrl ? postgresDialect(databaseUrl, 'patient') : sqliteDialect(sqliteFile(older))
    const db = new Kysely<Tables>({ dialect })
    await migrate(db, '0014-standard-names').finally(() => db.destroy())
    const place = await newPlace()
    await assert.rejects(restore(await open(await makeBackup(older)), place, fail), /too late/)
    assert.deepEqual(await listTables(place), [])
  })

  test('a restore that pg_restore refuses drops no table that somebody else created meanwhile', {
    skip: isSqlite,
  }, async () => {
    const place = await newPlace()
    const overtaken: typeof backup = {
      ...backup,
      async extractTo(sink, signal) {
        await query(place, 'create table messages (id text); create table users (id text)')
        await backup.extractTo(sink, signal)
      },
    }
    await assert.rejects(restore(overtaken, place, nothing), /pg_restore failed: .*already exists/s)
    assert.deepEqual(await listTables(place), ['messages', 'users'])
  })

  test('a restore that fails at its end drops only what it created', { skip: isSqlite }, async () => {
    const place = await newPlace()
    const overtake = async () => {
      await query(place, 'create table of_another_program (id text)')
      await fail()
    }
    await assert.rejects(restore(backup, place, overtake), /too late/)
    assert.deepEqual(await listTables(place), ['of_another_program'])
  })

  test('Landfall does not start on a PostgreSQL database before its restore has ended (N7)', {
    skip: isSqlite,
  }, async () => {
    const place = await newPlace()
    const order: string[] = []
    let start = Promise.resolve()
    await restore(backup, place, async () => {
      start = openDatabase(place).then(async db => {
        order.push('started')
        await db.destroy()
      })
      await until(async () => order.length > 0 || (await countWaiting(place)) === 1)
      order.push('restored')
    })
    await start
    assert.deepEqual(order, ['restored', 'started'])
  })
})

type Place = Parameters<typeof restore>[1]

/** Those that wait for the lock of the migrations. */
async function countWaiting(place: Place): Promise<number> {
  const here = '(select oid from pg_database where datname = current_database())'
  const rows = await query(
    place,
    `select 1 from pg_locks where locktype = 'advisory' and not granted and database = ${here}`,
  )
  return rows.length
}

async function listTables(place: Place): Promise<string[]> {
  if (!place.databaseUrl)
    return (await readdir(place.dataDir)).filter(name => name.startsWith('landfall.sqlite'))
  const rows = await query(place, "select tablename from pg_tables where schemaname = 'public' order by 1")
  return rows.map(row => String(Object.values(row)))
}

async function query({ databaseUrl }: Place, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  // The database is dropped soon, perhaps before the connection has closed.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
