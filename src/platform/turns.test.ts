import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createConcurrencyLimit, createFairLimit } from './turns.ts'

suite('Turns', () => {
  test('work that may run at the same time runs in the order in which it was asked for, and only so much of it', async () => {
    const limit = createConcurrencyLimit(2)
    const begun: number[] = []
    let [now, most] = [0, 0]
    async function work(number: number) {
      begun.push(number)
      most = Math.max(most, ++now)
      await new Promise(resolve => setImmediate(resolve))
      now--
      if (number === 1) throw new Error('failed')
    }
    const all = [0, 1, 2, 3, 4].map(number => limit(() => work(number)))
    assert.deepEqual(
      (await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled'),
      [true, false, true, true, true],
    )
    assert.deepEqual([begun, most], [[0, 1, 2, 3, 4], 2])
  })

  test('a person waits for one piece of the work of another, however much another one asks for', async () => {
    const limit = createFairLimit(1)
    const order: string[] = []
    const work = (who: string) => limit(who, async () => void order.push(who))
    await Promise.all(['ana', 'ana', 'ana', 'ana', 'ben', 'ben'].map(work))
    assert.deepEqual(order, ['ana', 'ben', 'ana', 'ben', 'ana', 'ana'])
  })
})
