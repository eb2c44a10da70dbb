import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { openTestApp } from '../../tests/support/test-app.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'
import { inTransaction, type Transaction } from './transaction.ts'

suite('A transaction', async () => {
  const { db } = (await openTestApp()).services
  // Whether a reference is kept is looked at only when the transaction ends, so that the commit fails.
  await sql`create table parents (id text primary key)`.execute(db)
  await sql`create table children (parent text references parents deferrable initially deferred)`.execute(db)

  const add = async (transaction: Transaction, id: string) =>
    await sql`insert into parents values (${id})`.execute(transaction)
  const breakCommit = async (transaction: Transaction) =>
    await sql`insert into children values ('nobody')`.execute(transaction)
  const isStored = async (id: string) =>
    (await sql`select id from parents where id = ${id}`.execute(db)).rows.length === 1

  /** Does `work` in a transaction with a callback for each outcome. @returns what they noted */
  async function watch(
    work: (transaction: Transaction, note: (text: string) => () => void) => Promise<void>,
  ) {
    const seen: string[] = []
    const note = (text: string) => () => void seen.push(text)
    const end = inTransaction(db, async transaction => {
      transaction.afterCommit(note('committed'))
      transaction.afterRollback(note('rolled back'))
      await work(transaction, note)
      assert.deepEqual(seen, [], 'nothing runs before the end')
    })
    const error = await end.then(
      () => '',
      (error: Error) => error.message,
    )
    return { seen, error }
  }

  const undone = () => {
    throw new Error('undone')
  }

  test('callbacks run once, in the order in which they were added, when the work is stored', async ({
    name,
  }) => {
    const { seen, error } = await watch(async (transaction, note) => {
      await add(transaction, name)
      transaction.afterCommit(note('second'))
      transaction.afterCommit(note('third'))
    })
    assert.deepEqual([seen, error, await isStored(name)], [['committed', 'second', 'third'], '', true])
  })

  test('a callback after the commit reads what is stored', async ({ name }) => {
    const reads: Promise<boolean>[] = []
    await inTransaction(db, async transaction => {
      await add(transaction, name)
      transaction.afterCommit(() => reads.push(isStored(name)))
    })
    assert.deepEqual(await Promise.all(reads), [true])
  })

  test('an error in the work rolls it back, runs those callbacks and reaches the caller', async ({
    name,
  }) => {
    const { seen, error } = await watch(async (transaction, note) => {
      await add(transaction, name)
      transaction.afterRollback(note('second'))
      undone()
    })
    assert.deepEqual([seen, error, await isStored(name)], [['rolled back', 'second'], 'undone', false])
  })

  test('a commit that fails runs the callbacks of a rollback', async ({ name }) => {
    const { seen, error } = await watch(async transaction => {
      await add(transaction, name)
      await breakCommit(transaction)
    })
    assert.deepEqual([seen, await isStored(name)], [['rolled back'], false])
    assert.match(error, /foreign key/i)
  })

  test('a transaction that fails undoes nothing of another that began with it', async ({ name }) => {
    const [failed, kept] = await Promise.all([
      watch(async transaction => {
        await add(transaction, `${name}, failed`)
        undone()
      }),
      watch(async transaction => void (await add(transaction, `${name}, kept`))),
    ])
    assert.deepEqual([failed.seen, kept.seen], [['rolled back'], ['committed']])
    assert.deepEqual([await isStored(`${name}, failed`), await isStored(`${name}, kept`)], [false, true])
  })

  test('a transaction in another is part of it, with its callbacks', async ({ name }) => {
    const { seen } = await watch(async (outer, note) => {
      const result = await inTransaction(outer, async inner => {
        await add(inner, name)
        inner.afterCommit(note('of the inner one'))
        return 'the result'
      })
      assert.equal(result, 'the result')
      outer.afterCommit(note('last'))
    })
    assert.deepEqual([seen, await isStored(name)], [['committed', 'of the inner one', 'last'], true])
  })

  test('a transaction in another rolls it back when it fails, although its error is caught', async ({
    name,
  }) => {
    const { seen, error } = await watch(async outer => {
      await add(outer, name)
      await inTransaction(outer, async () => undone()).catch(() => {})
    })
    assert.deepEqual([seen, error, await isStored(name)], [['rolled back'], 'undone', false])
  })

  test('a callback that throws stops no other, changes no outcome and is reported', async ({ name }) => {
    const wrong = () => {
      throw new Error('A mistake in a callback')
    }
    const reported = once(process, 'warning')
    const { seen, error } = await watch(async (transaction, note) => {
      await add(transaction, name)
      transaction.afterCommit(wrong)
      transaction.afterCommit(note('second'))
    })
    assert.deepEqual([seen, error, await isStored(name)], [['committed', 'second'], '', true])
    assert.match(String(await reported), /A mistake in a callback/)
    const reportedAgain = once(process, 'warning')
    const failed = await watch(async (transaction, note) => {
      transaction.afterRollback(wrong)
      transaction.afterRollback(note('second'))
      undone()
    })
    assert.deepEqual([failed.seen, failed.error], [['rolled back', 'second'], 'undone'])
    await reportedAgain
  })

  test('a callback that comes after the end is refused, because it would never run', async () => {
    let ended: Transaction | undefined
    await inTransaction(db, async transaction => {
      ended = transaction
    })
    assert.throws(() => ended?.afterCommit(() => {}), /has ended/)
    assert.throws(() => ended?.afterRollback(() => {}), /has ended/)
  })

  test('a transaction that cannot begin does no work', async ({ name }) => {
    const unreachable = new Kysely<Tables>({ dialect: sqliteDialect('/dev/null/nothing.sqlite') })
    await assert.rejects(
      inTransaction(unreachable, async () => assert.fail(name)),
      /mkdir/,
    )
  })

  test('every transaction is begun by inTransaction, so that no email or log entry misses its commit', () => {
    const begins = /\.(transaction|startTransaction)\(/
    // Tests of what inTransaction is built on, and changes to the source as text.
    const exempt = /^(src\/database\/(transaction(\.test)?|sqlite\/[a-z-]+\.test)\.ts$|tests\/mutations\/)/
    const files = globSync('{src,tests,scripts,bench}/**/*.{ts,tsx}').filter(file => !exempt.test(file))
    assert.ok(files.length > 400)
    assert.deepEqual(
      files.filter(file => begins.test(readFileSync(file, 'utf8'))),
      [],
    )
  })
})
