import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { sqliteDialect } from './dialect.ts'

interface Library {
  books: { title: string; author: string }
}

suite('Group commit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-commits-'))
  const file = join(folder, 'books.sqlite')
  const db = new Kysely<Library>({ dialect: sqliteDialect(file) })
  await sql`create table authors (name text primary key)`.execute(db)
  await sql`create table books (title text primary key,
    author text references authors deferrable initially deferred)`.execute(db)
  await sql`insert into authors values ('Someone')`.execute(db)
  await sql`create trigger fire after insert on books when new.title = 'Fire'
    begin select raise(rollback, 'the library burns'); end`.execute(db)
  await sql`pragma wal_autocheckpoint = 0`.execute(db)
  const reader = new DatabaseSync(file, { readOnly: true })
  after(async () => {
    reader.close()
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  const add = async (title: string, to = db, author = 'Someone') =>
    await to.insertInto('books').values({ title, author }).execute()
  const addTwo = async (title: string) =>
    await db.transaction().execute(async transaction => {
      await add(`${title}, first part`, transaction)
      await new Promise(setImmediate)
      await add(`${title}, second part`, transaction)
    })
  /** What another process reads from the table. */
  const seen = (title: string) =>
    reader.prepare('select title from books where title like ? order by title').all(`${title}%`).length

  /** Calls `work` and counts the commits that it took, as the write-ahead log shows. */
  async function countCommits(work: () => Promise<unknown>) {
    const before = readCommits(`${file}-wal`)
    await work()
    return readCommits(`${file}-wal`) - before
  }

  test('concurrent changes share a commit, alone or in transactions', async () => {
    // One where the machine is at rest: no group stays open for longer than 20 ms, and each would else be 20 commits.
    const few = (commits: number) => assert.ok(commits <= 5, `${commits} commits`)
    const singles = Array.from({ length: 20 }, (_, number) => add(`Single ${number}`))
    few(await countCommits(() => Promise.all(singles)))
    const transactions = async () => {
      const both = async (number: number) =>
        await db.transaction().execute(async transaction => {
          await add(`Pair ${number}, one`, transaction)
          await add(`Pair ${number}, two`, transaction)
        })
      await Promise.all(Array.from({ length: 20 }, (_, number) => both(number)))
    }
    few(await countCommits(transactions))
    assert.equal(seen('Single') + seen('Pair'), 60)
  })

  test('a first change does not wait for hundreds of others', async () => {
    const many = Array.from({ length: 250 }, (_, number) => add(`Many ${number}`))
    assert.ok((await countCommits(() => Promise.all(many))) >= 3)
  })

  test('a grouped change is acknowledged only once others can see it, and is invisible before', async () => {
    const titles = Array.from({ length: 10 }, (_, number) => `Answered ${number}`)
    const seenWhenAnswered = await Promise.all(
      titles.map(async (title, number) => {
        await (number % 2 ? addTwo(title) : add(title))
        return seen(title)
      }),
    )
    assert.deepEqual(seenWhenAnswered, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    await db.transaction().execute(async transaction => {
      await add('Half-way', transaction)
      await new Promise(resolve => setTimeout(resolve, 30))
      assert.equal(seen('Half-way'), 0)
    })
    assert.equal(seen('Half-way'), 1)
  })

  test('an author can read a grouped change as soon as it is acknowledged', async () => {
    const read = async (title: string) =>
      await db.selectFrom('books').where('title', '=', title).selectAll().execute()
    const found = Array.from({ length: 10 }, async (_, number) => {
      await add(`Own ${number}`)
      return (await read(`Own ${number}`)).length
    })
    assert.deepEqual(await Promise.all(found), Array(10).fill(1))
  })

  test('grouped changes run one after the other, in the order they came', async () => {
    const steps: string[] = []
    const take = async (name: string) =>
      await db.transaction().execute(async transaction => {
        steps.push(`${name} begins`)
        await add(`In order ${name}`, transaction)
        await new Promise(setImmediate)
        steps.push(`${name} ends`)
      })
    await Promise.all(['one', 'two', 'three'].map(take))
    assert.deepEqual(
      steps,
      ['one', 'two', 'three'].flatMap(name => [`${name} begins`, `${name} ends`]),
    )
  })

  test('grouped changes succeed beside one that fails, which leaves nothing behind', async () => {
    const take = async (number: number) => {
      if (number % 3 === 1) return await add('Neighbour 0, first part')
      return await db.transaction().execute(async transaction => {
        await add(`Neighbour ${number}, first part`, transaction)
        await add(`Neighbour ${number}, second part`, transaction)
        if (number % 3 === 2) throw new Error('changed its mind')
      })
    }
    const numbers = Array.from({ length: 9 }, (_, number) => number)
    const outcomes = await Promise.allSettled(numbers.map(take))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      numbers.map(number => (number % 3 === 0 ? 'fulfilled' : 'rejected')),
    )
    assert.equal(seen('Neighbour'), 6)
  })

  test('grouped changes all fail with a failed commit, and so do their callbacks', async () => {
    const single = add('Doomed')
    const repeated = add('Doomed')
    const withoutAuthor = add('Doomed, without author', db, 'Nobody')
    const pair = addTwo('Doomed pair')
    for (const change of [single, repeated, withoutAuthor, pair])
      await assert.rejects(change, /FOREIGN KEY constraint failed/)
    assert.equal(seen('Doomed'), 0)
    await add('Doomed no more')
    assert.equal(seen('Doomed'), 1)
  })

  test('grouped changes all fail when SQLite rolls the transaction back, and nothing of them is kept', async () => {
    const before = add('Burnt before')
    const pair = db.transaction().execute(async transaction => {
      await add('Burnt pair', transaction)
      await assert.rejects(add('Fire', transaction), /the library burns/)
      await add('Burnt after', transaction)
    })
    const later = add('Not burnt')
    await assert.rejects(before, /the library burns/)
    await assert.rejects(pair, /the library burns/)
    await later
    assert.deepEqual([seen('Burnt'), seen('Fire'), seen('Not burnt')], [0, 0, 1])
  })

  test('a statement that no transaction permits runs between two grouped commits', async () => {
    const first = add('Before the vacuum')
    const vacuum = sql`vacuum`.execute(db)
    const second = add('After the vacuum')
    await Promise.all([first, vacuum, second])
    assert.deepEqual([seen('Before the vacuum'), seen('After the vacuum')], [1, 1])
  })

  test('grouped changes are on disk when the file is closed', async () => {
    const other = new Kysely<Library>({ dialect: sqliteDialect(file) })
    await other.selectFrom('books').select('title').limit(1).execute()
    const change = add('At the last moment', other)
    // Written by now, and waiting for its commit.
    await new Promise(process.nextTick)
    await other.destroy()
    await change
    assert.equal(seen('At the last moment'), 1)
  })
})

/** Commits in a write-ahead log: its frames whose header says how large the file is then. */
function readCommits(wal: string): number {
  const bytes = readFileSync(wal)
  const frame = 24 + bytes.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= bytes.length; at += frame) {
    const isOfThisLog = bytes.subarray(at + 8, at + 16).equals(bytes.subarray(16, 24))
    if (isOfThisLog && bytes.readUInt32BE(at + 4) > 0) commits++
  }
  return commits
}
