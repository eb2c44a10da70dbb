import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { sqliteDialect } from './dialect.ts'

interface Library {
  books: { title: string; copies: number }
}

suite('The SQLite file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-sqlite-'))
  const file = join(folder, 'made', 'on-demand.sqlite')
  const db = new Kysely<Library>({ dialect: sqliteDialect(file) })
  after(async () => {
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  await sql`create table books (title text primary key, copies integer not null)`.execute(db)

  const copiesOf = async (title: string, from: Kysely<Library> = db) =>
    (await from.selectFrom('books').select('copies').where('title', '=', title).executeTakeFirst())?.copies
  const add = async (title: string, to: Kysely<Library> = db) =>
    await to.insertInto('books').values({ title, copies: 0 }).execute()

  test('SQLite transactions run one after another, so that none overwrites another', async () => {
    await add('Turns')
    const waitForTurn = async () =>
      await db.transaction().execute(async transaction => {
        const copies = await copiesOf('Turns', transaction)
        await new Promise(setImmediate)
        await transaction
          .updateTable('books')
          .set({ copies: Number(copies) + 1 })
          .where('title', '=', 'Turns')
          .execute()
      })
    await Promise.all(Array.from({ length: 20 }, waitForTurn))
    assert.equal(await copiesOf('Turns'), 20)
  })

  test('a reader sees what is committed, and a transaction sees its own changes', async () => {
    await db.transaction().execute(async transaction => {
      await add('Committed', transaction)
      assert.equal(await copiesOf('Committed', transaction), 0)
      assert.equal(await copiesOf('Committed'), undefined)
    })
    assert.equal(await copiesOf('Committed'), 0)
  })

  test('a failed SQLite transaction keeps nothing, and the next one succeeds', async () => {
    const failing = db.transaction().execute(async transaction => {
      await add('Undone', transaction)
      await add('Undone', transaction)
    })
    await assert.rejects(failing, /UNIQUE/)
    assert.equal(await copiesOf('Undone'), undefined)
    await db.transaction().execute(async transaction => await add('Undone', transaction))
    assert.equal(await copiesOf('Undone'), 0)
  })

  test('a single change is no part of a transaction that is under way', async () => {
    const [isHalfDone, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const failing = db.transaction().execute(async transaction => {
      await add('In the transaction', transaction)
      isHalfDone.resolve()
      await mayEnd.promise
      throw new Error('undone')
    })
    await isHalfDone.promise
    const single = add('Beside it')
    await new Promise(setImmediate)
    mayEnd.resolve()
    await assert.rejects(failing, /undone/)
    await single
    assert.equal(await copiesOf('Beside it'), 0)
    assert.equal(await copiesOf('In the transaction'), undefined)
  })

  test('SQLite accepts changes after one that failed on its own', async () => {
    await add('Once')
    await assert.rejects(add('Once'), /UNIQUE/)
    await add('Twice')
    assert.equal(await copiesOf('Twice'), 0)
  })

  test('SQLite reports how many rows a change affected, and returns those it is asked for', async () => {
    await add('Changed')
    const change = db.updateTable('books').set({ copies: 3 })
    const { numUpdatedRows } = await change.where('title', '=', 'Changed').executeTakeFirstOrThrow()
    assert.equal(numUpdatedRows, 1n)
    const none = await change.where('title', '=', 'Nothing').executeTakeFirstOrThrow()
    assert.equal(none.numUpdatedRows, 0n)
    const rows = await change.where('title', '=', 'Changed').returning('copies').execute()
    assert.deepEqual(
      rows.map(({ copies }) => copies),
      [3],
    )
  })

  test('a transaction can roll back to a savepoint and keep what was before it', async () => {
    const transaction = await db.startTransaction().execute()
    await add('Before', transaction)
    const afterSavepoint = await transaction.savepoint('half "way').execute()
    await add('After', afterSavepoint)
    const back = await afterSavepoint.rollbackToSavepoint('half "way').execute()
    await back.releaseSavepoint('half "way').execute()
    await transaction.commit().execute()
    assert.deepEqual([await copiesOf('Before'), await copiesOf('After')], [0, undefined])
  })

  test('SQLite waits for another process that is writing, and blocks nothing else meanwhile', async () => {
    const other = new Kysely<Library>({ dialect: sqliteDialect(file) })
    const held = await other.startTransaction().execute()
    await add('Of the other', held)
    const waiting = add('After the other')
    await new Promise(resolve => setTimeout(resolve, 30))
    await held.commit().execute()
    await waiting
    await other.destroy()
    assert.deepEqual([await copiesOf('Of the other'), await copiesOf('After the other')], [0, 0])
  })

  test('SQLite has every commit on disk before it is acknowledged, and enforces foreign keys', async () => {
    const read = async (name: string) =>
      (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0]?.[name]
    assert.equal(await read('journal_mode'), 'wal')
    assert.equal(await read('synchronous'), 2)
    assert.equal(await read('foreign_keys'), 1)
  })

  test('SQLite runs more statements than it keeps prepared', async () => {
    for (let round = 0; round < 2; round++)
      for (let number = 0; number < 600; number++) {
        const statement = sql<{ number: number }>`select ${sql.lit(number)} as number`
        assert.equal((await statement.execute(db)).rows[0]?.number, number)
      }
  })
})
