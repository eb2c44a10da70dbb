import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { storePicture } from '../../tests/support/stored-picture.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { lockFolder } from '../database/folder-lock.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { readFile as readPicture } from '../pictures/store.server.ts'
import { systemClock } from '../platform/clock.ts'
import { lockSqlite } from './back-up.ts'
import { copiedTables } from './copied-tables.ts'
import { copyRows } from './copy-rows.ts'
import { openSqlite } from './row-snapshot.ts'

const silent = () => {}
/** No server is there. */
const NOWHERE = 'postgres://nobody:nothing@127.0.0.1:1/nowhere'

suite('A move to PostgreSQL', async () => {
  const testApp = await openTestApp({ databaseUrl: null, secretKey: null })
  const { config, db } = testApp.services
  await testApp.browser().call(enquiries.contact, { ...visitor, name: 'Zoë 💌' })
  const file = sqliteFile(config)
  // More than are read at once.
  const pictures: Awaited<ReturnType<typeof storePicture>>[] = []
  for (let count = 0; count < 12; count++) pictures.push(await storePicture(testApp.services, 200_000))

  test('a move copies every table of the database', async () => {
    const known = new Set<string>(copiedTables.map(({ name }) => name))
    const tables = await db.introspection.getTables()
    const others = tables.map(({ name }) => name).filter(name => !known.has(name))
    // What the engines derive, and what each installation has of its own.
    const leftOut =
      /^(changes|dummy_login_attempts|note_words|password_requests|presence|rate_limits|search_words|visitor_codes|visitor_requests)$/
    assert.deepEqual(
      others.filter(name => !leftOut.test(name)),
      [],
    )
    assert.equal(known.size, copiedTables.length)
  })

  test('a move locks the installation', async () => {
    assert.throws(() => lockSqlite(file), /Landfall is running/)
    const dataDir = await mkdtemp(join(tmpdir(), 'landfall-move-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    const place = { dataDir, databaseUrl: null }
    await (await openDatabase(place)).destroy()
    const hold = lockSqlite(sqliteFile(place))
    await assert.rejects(openDatabase(place), /locked/)
    const source = openSqlite(sqliteFile(place))
    for await (const users of source.rows({ name: 'users', key: ['id'] })) assert.equal(users.length, 0)
    await source.close()
    hold.release()
    await rename(sqliteFile(place), `${sqliteFile(place)}.moved`)
  })

  test('a move does not begin when the name that the SQLite file will get is taken', async () => {
    const { dataDir, run } = await newInstallation()
    const moved = join(dataDir, 'landfall.sqlite.moved')
    await writeFile(moved, 'of an earlier move')
    assert.match(run('copy', '--to', NOWHERE), /landfall\.sqlite\.moved exists already, from an earlier move/)
    assert.equal(await readFile(moved, 'utf8'), 'of an earlier move')
  })

  test('neither a move nor erase:again changes a data folder that another process has locked (N7)', async () => {
    const { dataDir, run } = await newInstallation()
    const hold = lockFolder(dataDir, systemClock)
    assert.match(run('copy', '--to', NOWHERE), /already runs on DATA_DIR/)
    assert.match(run('erase-again'), /already runs on DATA_DIR/)
    hold.release()
    assert.equal(run('erase-again'), '')
  })

  /** @returns how to run a console command on it, which returns its errors */
  async function newInstallation() {
    const dataDir = await mkdtemp(join(tmpdir(), 'landfall-move-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    await (await openDatabase({ dataDir, databaseUrl: null })).destroy()
    const { DATABASE_URL: _, ...others } = process.env
    const env = { ...others, DATA_DIR: dataDir }
    const run = (script: string, ...args: string[]) =>
      spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], { env, encoding: 'utf8' }).stderr
    return { dataDir, run }
  }

  test('a move copies every row as it was, and refuses a database that holds rows', {
    skip: !process.env.TEST_DATABASE_URL,
  }, async () => {
    const databaseUrl = (await createTestDatabase()) ?? ''
    after(() => dropTestDatabase(databaseUrl))
    const copy = async () => {
      const source = openSqlite(file)
      return await copyRows(source, databaseUrl, silent).finally(() => source.close())
    }
    assert.ok((await copy()) > 3)
    await assert.rejects(copy(), /There is an installation already: the table \w+ holds rows/)
    const moved = await openDatabase({ ...config, databaseUrl })
    const read = async (from: typeof db) => (await from.selectFrom('messages').selectAll().execute())[0]
    assert.deepEqual({ ...(await read(moved)) }, { ...(await read(db)) })
    for (const { id, bytes, path } of pictures)
      assert.deepEqual(await readPicture(moved, basename(path('webp'))), bytes, id)
    await moved.destroy()
  })
})
