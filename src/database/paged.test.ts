import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { scan } from './paged.ts'

/** Milliseconds: more than a call goes on for. */
const LONG = 11

suite('Scan', () => {
  test('reads in small parts, between which others are served, and no more than it must when rows take long', async () => {
    const sizes: number[] = []
    const { found, next } = await scan<string>({
      ...{ from: undefined, limit: 3 },
      readChunk: async (from, limit, { size }) => {
        sizes.push(size)
        const end = performance.now() + LONG
        while (performance.now() < end);
        return { found: limit === 3 ? ['first'] : [], next: `${from ?? ''}.` }
      },
    })
    assert.deepEqual(sizes, [125, 125, 125, 125])
    assert.deepEqual([found, next], [['first'], '....'])
  })
})
