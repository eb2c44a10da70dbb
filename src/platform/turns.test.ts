import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createConcurrencyLimit, createFairLimit, createPace } from './turns.ts'

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

  test('work in pace runs one piece after the other, with a rest after each, also when one fails', async () => {
    const inPace = createPace(3)
    const times: (readonly [begun: number, ended: number])[] = []
    async function work(number: number) {
      const begun = performance.now()
      await new Promise(resolve => setTimeout(resolve, 10))
      times.push([begun, performance.now()])
      if (number === 0) throw new Error('failed')
      return number
    }
    const all = await Promise.allSettled([0, 1, 2].map(number => inPace(() => work(number))))
    assert.deepEqual(
      all.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : null)),
      [null, 1, 2],
    )
    // A timer may be a millisecond early.
    for (const [at, [begun, ended]] of times.slice(0, -1).entries())
      assert.ok((times[at + 1]?.[0] ?? 0) - ended >= 3 * (ended - begun) - 2)
  })
})
