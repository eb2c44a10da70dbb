import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../tests/support/browser.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { isPostgres } from '../database/engine.ts'

const ENQUIRY = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

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
