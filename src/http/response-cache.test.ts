import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { countBytes, encodeResponse, type Representation } from './representation.ts'
import { createResponseCache } from './response-cache.ts'

suite('Response cache', () => {
  test('a rendered page is kept from the first second on, while no setting changes', async context => {
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

  test('a rendered page is discarded by a change, also while it is being made', async () => {
    const cache = createResponseCache(async () => 'the same')
    await new Promise(setImmediate)
    const make = async (text: string) => await encodeResponse(text, {})
    await cache.get('/', () => make('first'))
    cache.clear()
    assert.equal(cache.peek('/'), undefined)
    const gate = Promise.withResolvers<string>()
    const slow = cache.get('/', async () => await make(await gate.promise))
    cache.clear()
    gate.resolve('of the content before')
    await slow
    assert.equal(cache.peek('/'), undefined)
    cache.close()
  })

  test('while pages are renewed the old ones are served, then only those that were used or changed are there', async () => {
    const cache = createResponseCache(async () => 'the same')
    await new Promise(setImmediate)
    let text = 'old'
    const make = async () => await encodeResponse(text, {})
    for (const key of ['/unused', '/used']) await cache.get(key, make)
    await cache.renew(new Map())
    cache.peek('/used')
    text = 'new'
    const gate = Promise.withResolvers<void>()
    const renewed = cache.renew(
      new Map([
        ['/changed', async () => await gate.promise.then(async () => await encodeResponse(text, {}))],
      ]),
    )
    assert.equal(textOf(cache.peek('/used')), 'old')
    gate.resolve()
    await renewed
    const shown = ['/changed', '/used', '/unused'].map(key => textOf(cache.peek(key)))
    assert.deepEqual(shown, ['new', 'new', undefined])
    cache.close()
  })

  test('pages that are discarded while others are renewed stay discarded', async () => {
    const cache = createResponseCache(async () => 'the same')
    await new Promise(setImmediate)
    const make = async () => await encodeResponse('of the settings before', {})
    await cache.get('/', make)
    const renewed = cache.renew(new Map())
    cache.clear()
    await renewed
    assert.equal(cache.peek('/'), undefined)
    cache.close()
  })

  test('the page that was not used for longest makes room for another one', async () => {
    const page = async () => await encodeResponse('x'.repeat(100), {})
    const cache = createResponseCache(async () => 'the same', 2.5 * countBytes(await page()))
    await new Promise(setImmediate)
    await cache.get('/old', page)
    await cache.get('/used', page)
    cache.peek('/old')
    await cache.get('/new', page)
    assert.deepEqual(
      ['/old', '/used', '/new'].filter(key => cache.peek(key)),
      ['/old', '/new'],
    )
    cache.close()
  })

  test('requests for a page that is not cached wait for one rendering', async () => {
    const cache = createResponseCache(async () => 'the same')
    await new Promise(setImmediate)
    let made = 0
    const render = async () => {
      made++
      return await encodeResponse('<p>Home</p>', {})
    }
    await Promise.all(Array.from({ length: 100 }, () => cache.get('/', render)))
    assert.equal(made, 1)
    cache.close()
  })
})

function textOf(page: Representation | undefined): string | undefined {
  return page && Buffer.from(page.plain.body).toString()
}
