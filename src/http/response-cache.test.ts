import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeResponse } from './representation.ts'
import { createResponseCache } from './response-cache.ts'

suite('A page that was made once', () => {
  test('is kept from the first second on, while no setting changes', async context => {
    context.mock.timers.enable({ apis: ['setInterval'] })
    const cache = createResponseCache(async () => 'the same')
    await new Promise(setImmediate)
    let made = 0
    const get = async () =>
      await cache.get('/', async () => {
        made++
        return await encodeResponse('<p>Home</p>', {})
      })
    await get()
    context.mock.timers.tick(1000)
    await new Promise(setImmediate)
    await get()
    assert.equal(made, 1)
    cache.close()
  })
})
