import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import { truncateWal } from './truncate-wal.ts'

/** Milliseconds for which nothing else may happen in the process. */
const MAX_BLOCK = 50
/** Of the time that the work takes: on a busy machine other programs hold us up as well. */
const MAX_PART = 0.5

suite('The write-ahead log of SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-wal-'))
  const file = join(folder, 'some.sqlite')
  const writer = new DatabaseSync(file)
  writer.exec('pragma journal_mode = wal; create table texts (text text)')
  const reader = new DatabaseSync(file, { readOnly: true })
  after(async () => {
    reader.close()
    writer.close()
    await rm(folder, { recursive: true, force: true })
  })
  const write = (rows: number) => {
    const insert = writer.prepare('insert into texts values (?)')
    writer.exec('begin')
    for (let row = 0; row < rows; row++) insert.run('a text '.repeat(200))
    writer.exec('commit')
  }
  const size = async () => (await stat(`${file}-wal`)).size

  test('the write-ahead log is emptied as soon as nobody reads what was there before (H2)', async () => {
    write(10)
    reader.exec('begin')
    reader.prepare('select count(*) from texts').get()
    write(10)
    const emptied = truncateWal(file)
    // While it is being tried, others write.
    await new Promise(resolve => setTimeout(resolve, 300))
    writer.exec("insert into texts values ('meanwhile')")
    reader.exec('commit')
    assert.ok(await emptied)
    assert.equal(await size(), 0)
  })

  test('a write-ahead log that a reader keeps from being emptied is reported (H2)', async () => {
    reader.exec('begin')
    reader.prepare('select count(*) from texts').get()
    write(10)
    assert.ok(!(await truncateWal(file)))
    assert.ok((await size()) > 0)
    reader.exec('commit')
    assert.ok(await truncateWal(file))
    assert.equal(await size(), 0)
  })

  test('the write-ahead log is emptied without blocking anybody, even when it is long', async () => {
    writer.exec('pragma wal_autocheckpoint = 0')
    const runs = [await emptyLongLog(), await emptyLongLog(), await emptyLongLog()]
    const isFree = runs.some(({ longest, all }) => longest < MAX_BLOCK || longest < all * MAX_PART)
    assert.ok(isFree, JSON.stringify(runs))
  })

  async function emptyLongLog() {
    write(20_000)
    assert.ok((await size()) > 20_000_000)
    const start = performance.now()
    let last = start
    let longest = 0
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    assert.ok(await truncateWal(file))
    clearInterval(timer)
    assert.equal(await size(), 0)
    return { longest, all: last - start }
  }
})
