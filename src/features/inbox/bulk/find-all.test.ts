import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MAX_BULK } from './contract.ts'
import { findAll } from './run-bulk.ts'

suite('Finding all messages that match, in the browser', () => {
  /** Finds messages on a server that has so many. */
  async function find(count: number, stopAfter = 1000) {
    const progress: number[] = []
    const matching = Array.from({ length: count }, (_, at) => ({ id: `${at}`, version: at + 1 }))
    const found = await findAll({
      async read(cursor = '0') {
        const end = Number(cursor) + 500
        return { found: matching.slice(Number(cursor), end), nextCursor: end < count ? `${end}` : null }
      },
      onProgress: figure => progress.push(figure),
      isStopped: () => progress.length >= stopAfter,
    })
    return { found, progress }
  }

  test('all messages that match are found, page by page, until somebody stops it', async () => {
    const { found, progress } = await find(1203)
    assert.deepEqual([found?.ids.length, found?.isWhole, found?.versions[7]], [1203, true, 8])
    assert.deepEqual(progress, [500, 1000, 1203])
    assert.equal((await find(1203, 1)).found, null)
  })

  test('of more than one action takes, the newest are found, and that there are others', async () => {
    assert.equal((await find(MAX_BULK)).found?.isWhole, true)
    const { found, progress } = await find(MAX_BULK + 1)
    assert.deepEqual([found?.ids.length, found?.ids[0], found?.isWhole], [MAX_BULK, '0', false])
    assert.equal((await find(3 * MAX_BULK)).progress.length, progress.length, 'and no more is read')
  })
})
