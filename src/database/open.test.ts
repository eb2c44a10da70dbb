import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, dropTestDatabase } from '../../tests/support/database.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from './open.ts'
import { inTransaction } from './transaction.ts'

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

  test('a PostgreSQL server that acknowledges commits before they are on disk prevents the start', async () => {
    await set('off')
    await assert.rejects(open, (error: Error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /^DATABASE_URL .*synchronous_commit = off.* Set synchronous_commit = on$/)
      return true
    })
  })
})

suite('A statement on PostgreSQL', { skip: databaseUrl === null }, async () => {
  test('a statement is cancelled by the server after five seconds', async () => {
    const url = await createTestDatabase()
    const db = await openDatabase({ dataDir: '', databaseUrl: url })
    after(async () => {
      await db.destroy()
      if (url) await dropTestDatabase(url)
    })
    await assert.rejects(sql`select pg_sleep(6)`.execute(db), /statement timeout/)
  })
})

suite('A connection that breaks while it is in use', { skip: databaseUrl === null }, async () => {
  test('a broken connection fails the work in progress and nothing else', async () => {
    const url = await createTestDatabase()
    const db = await openDatabase({ dataDir: '', databaseUrl: url })
    after(async () => {
      await db.destroy()
      if (url) await dropTestDatabase(url)
    })
    const work = inTransaction(db, async transaction => {
      const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0]?.id})`.execute(db)
      // Between two statements, when nobody waits for an answer.
      await new Promise(resolve => setTimeout(resolve, 100))
      await sql`select 1`.execute(transaction)
    })
    await assert.rejects(work)
    await sql`select 1`.execute(db)
  })
})
