import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { openTestApp } from '../../tests/support/test-app.ts'
import { migrate } from './migrate.ts'

suite('Migrations', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const tables = async () => (await db.introspection.getTables()).map(({ name }) => name).sort()

  async function run(migrations: Record<string, Migration>) {
    const provider = { getMigrations: async () => migrations }
    const names = { migrationTableName: 'tried_migration', migrationLockTableName: 'tried_lock' }
    return await new Migrator({ db, provider, ...names }).migrateToLatest()
  }

  test('a migration that fails half-way leaves the schema and the rows unchanged', async () => {
    const good: Migration = {
      up: async schema => {
        await schema.schema.createTable('good').addColumn('id', 'text').execute()
        await sql`update users set name = 'Changed'`.execute(schema)
      },
    }
    const bad: Migration = {
      up: async schema => {
        await schema.schema.createTable('half').addColumn('id', 'text').execute()
        await sql`insert into nowhere values (1)`.execute(schema)
      },
    }
    await run({})
    const before = await tables()
    const { error } = await run({ '0001-good': good, '0002-bad': bad })
    assert.match(String(error), /nowhere/)
    assert.deepEqual(await tables(), before)
    const users = await db.selectFrom('users').select('name').execute()
    assert.deepEqual(
      users.map(({ name }) => name),
      ['Administrator'],
    )
    const { error: none } = await run({ '0001-good': good })
    assert.equal(none, undefined)
    assert.deepEqual(await tables(), [...before, 'good'].sort())
  })

  test('a migration that has run does not run again', async () => {
    const before = await tables()
    await migrate(db)
    assert.deepEqual(await tables(), before)
    assert.ok(before.includes('outbox'))
  })
})
