import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { ENQUIRY } from '../../../tests/support/enquiries.ts'
import { openLimitStore, refused, THREE_A_MINUTE } from '../../../tests/support/limits.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPostgres } from '../../database/engine.ts'
import { days } from '../../platform/clock.ts'

const { shared, openLimits } = await openLimitStore()

suite('Clients with many addresses', async () => {
  const testApp = await openTestApp()
  const { db, rateLimiter } = testApp.services

  async function post(browser: Browser, path: string, body: object): Promise<number> {
    const reply = await browser.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return reply.status
  }

  test('a sender with 600 networks of one /48 has 160 of 600 enquiries stored (N3)', async () => {
    const browsers = Array.from({ length: 600 }, (_, at) =>
      testApp.browser(`2001:db8:1:${(at * 100).toString(16)}::1`),
    )
    const statuses: number[] = []
    for (let at = 0; at < 600; at += 20) {
      const some = browsers.slice(at, at + 20)
      statuses.push(...(await Promise.all(some.map(browser => post(browser, '/api/contact', ENQUIRY)))))
    }
    assert.equal(statuses.filter(status => status === 201).length, 160)
    assert.equal(statuses.filter(status => status === 429).length, 440)
    const { count } = await db
      .selectFrom('messages')
      .select(eb => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 160)
    assert.equal(await post(testApp.browser('2001:db8:2::1'), '/api/contact', ENQUIRY), 201, 'a stranger')
    assert.equal(await post(testApp.browser('203.0.113.7'), '/api/contact', ENQUIRY), 201, 'over IPv4')
  })

  test('a client with 101,000 other addresses does not win back a refused login (N3)', async () => {
    const login = { email: 'nobody@agency.test', password: 'Not-The-Right-One-1!' }
    const guesser = testApp.browser()
    const guess = async () => (await guesser.send('POST', '/api/auth/login', login)).status
    for (let count = 0; count < 20; count++) assert.equal(await guess(), 401)
    assert.equal(await guess(), 429)
    const limit = { name: 'logins', count: 20, per: 300_000 }
    // What is in the database stays there, however much there is.
    const others = isPostgres(db) ? 1000 : 101_000
    for (let at = 0; at < others; at++)
      await rateLimiter.consume(limit, `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    assert.equal(await guess(), 429)
  })
})

suite(`Networks of IPv6, ${shared ? 'shared by nodes' : 'in memory'}`, () => {
  test('an IPv6 network may consume four times as much in a /56 and sixteen times in a /48, and no more (N3)', async () => {
    const { limits } = openLimits()
    const takeFrom = async (site: string, subnets: readonly string[]) => {
      const taken: boolean[] = []
      for (const subnet of subnets)
        for (let count = 0; count < 4; count++)
          taken.push(await limits.tryConsume(THREE_A_MINUTE, `${site}:${subnet}::/64`))
      return taken.filter(Boolean).length
    }
    const oneOf56 = Array.from({ length: 20 }, (_, at) => at.toString(16))
    assert.equal(await takeFrom('2001:db8:a', oneOf56), 12)
    const oneOf48 = Array.from({ length: 20 }, (_, at) => ((at + 1) << 8).toString(16))
    assert.equal(await takeFrom('2001:db8:a', oneOf48), 36, 'beside the twelve')
    assert.equal(await takeFrom('2001:db8:b', oneOf48), 48)
    assert.equal(await takeFrom('2001:db9:a', ['ff00']), 3)
  })

  test('an IPv6 network loses nothing to a client that is refused for itself (N3)', async () => {
    const { limits } = openLimits()
    const takeOf = async (subnet: string) =>
      await limits.tryConsume(THREE_A_MINUTE, `2001:db8:c:${subnet}::/64`)
    for (let count = 0; count < 40; count++) await takeOf('0')
    for (const subnet of ['1', '2', '3'])
      for (let count = 0; count < 3; count++) assert.equal(await takeOf(subnet), true, subnet)
    assert.equal(await takeOf('4'), false)
    // Nor to one that is refused for its /56.
    for (let count = 0; count < 40; count++) await takeOf('5')
    for (let at = 1; at <= 12; at++)
      for (let count = 0; count < 3; count++) assert.equal(await takeOf(`${at.toString(16)}00`), true)
    assert.equal(await takeOf('d00'), false)
  })

  test('every IPv6 network gets a refund of what was consumed in vain (N3)', async () => {
    const { limits, spend, wait } = openLimits()
    for (let round = 0; round < 60; round++) {
      const key = `2001:db8:d:${round.toString(16)}::/64`
      await spend(key)
      await limits.refund(THREE_A_MINUTE, key)
    }
    for (let count = 0; count < 12; count++) await spend(`2001:db8:d:${(count % 4).toString(16)}::/64`)
    await assert.rejects(spend('2001:db8:d:9::/64'), refused)
    assert.throws(() => limits.check(THREE_A_MINUTE, '2001:db8:d:a::/64'), refused)
    await limits.refund(THREE_A_MINUTE, '2001:db8:d:1::/64')
    await spend('2001:db8:d:a::/64')
    wait(-days(1))
    await spend('2001:db8:d:1::/64')
  })

  test('an IPv4 address, an account and a text each count for themselves alone (N3)', async () => {
    const { spend } = openLimits()
    for (const key of ['203.0.113.', 'someone@', '2001:db8:e:0::/64 ', 'x 2001:db8:e:0::/64'])
      for (let at = 0; at < 60; at++) await spend(`${key}${at}`)
  })

  test('an IPv6 network is allowed its exact limit of concurrent requests from all its addresses (N3)', async () => {
    const { limits } = openLimits()
    const key = (at: number) => `2001:db8:f:${at.toString(16)}::/64`
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, at) => limits.tryConsume(THREE_A_MINUTE, key(at % 15))),
    )
    const count = taken.filter(Boolean).length
    // What a refused one took for a moment may have been missing to another.
    assert.ok(count <= 12 && count >= 9, String(count))
  })
})
