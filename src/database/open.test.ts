import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { BadSetting } from '../config.ts'
import { createTestDatabase, dropTestDatabase } from '../testing/database.ts'
import { openDatabase } from './open.ts'

const databaseUrl = await createTestDatabase()

suite('A PostgreSQL server', { skip: databaseUrl === null }, async () => {
  after(async () => {
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  const open = () => openDatabase({ dataDir: '', databaseUrl })
  const name = new URL(databaseUrl ?? 'postgres://x/y').pathname.slice(1)

  async function set(value: string) {
    const db = await open()
    await sql`alter database ${sql.id(name)} set synchronous_commit = ${sql.lit(value)}`.execute(db)
    await db.destroy()
  }

  test('that says it is on disk before it is stops the start', async () => {
    await set('off')
    await assert.rejects(open, (error: Error) => {
      assert.ok(error instanceof BadSetting)
      assert.match(error.message, /^DATABASE_URL .*synchronous_commit = off.* Set synchronous_commit = on$/)
      return true
    })
  })
})

suite('A statement on PostgreSQL', { skip: databaseUrl === null }, async () => {
  test('is given up by the server after five seconds, unless it changes the schema', async () => {
    const url = await createTestDatabase()
    const db = await openDatabase({ dataDir: '', databaseUrl: url })
    after(async () => {
      await db.destroy()
      if (url) await dropTestDatabase(url)
    })
    await assert.rejects(sql`select pg_sleep(6)`.execute(db), /statement timeout/)
  })
})
