import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { ENQUIRY } from '../../../tests/support/enquiries.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'

suite('Enquiry quota', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  async function post(browser: Browser, change: Record<string, unknown> = {}, path = '/api/contact') {
    const headers = { 'content-type': 'application/json' }
    return await browser.fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...ENQUIRY, ...change }),
    })
  }

  const countStored = async (name: string) =>
    (await db.selectFrom('messages').select('id').where('name', '=', name).execute()).length

  test('one address may have ten enquiries stored in ten minutes, over all three forms', async () => {
    const browser = testApp.browser()
    for (let count = 0; count < 8; count++) assert.equal((await post(browser)).status, 201)
    assert.equal((await post(browser, {}, '/api/visa-assessment')).status, 201)
    assert.equal((await post(browser, {}, '/api/track-application')).status, 201)
    const refused = await post(browser)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 540 && wait <= 600, String(wait))
    const { success, message } = await refused.json()
    assert.deepEqual([success, message], [false, 'Too many requests. Please wait a little and try again.'])
    assert.equal((await post(browser, { name: '' })).status, 429, 'before anything is read')
    assert.equal((await post(testApp.browser())).status, 201, 'another address is not concerned')
    testApp.wait(minutes(9))
    assert.equal((await post(browser)).status, 429)
    testApp.wait(minutes(1))
    for (let count = 0; count < 10; count++) assert.equal((await post(browser)).status, 201)
    assert.equal((await post(browser)).status, 429)
  })

  test('ten of twenty concurrent enquiries are stored, and those ten get a reference', async () => {
    const [browser, name] = [testApp.browser(), 'All At Once']
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(browser, { name })))
    assert.equal(replies.filter(reply => reply.status === 201).length, 10)
    assert.equal(replies.filter(reply => reply.status === 429).length, 10)
    assert.equal(await countStored(name), 10)
  })

  test('rejected enquiries use up no quota', async () => {
    const browser = testApp.browser()
    for (let count = 0; count < 30; count++) assert.equal((await post(browser, { name: '' })).status, 400)
    for (let count = 0; count < 10; count++) assert.equal((await post(browser)).status, 201)
  })

  test('an address with sixty rejected enquiries a minute is blocked for the rest of it', async () => {
    const browser = testApp.browser()
    for (let count = 0; count < 60; count++) assert.equal((await post(browser, { name: '' })).status, 400)
    const refused = await post(browser)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 50 && wait <= 60, String(wait))
    testApp.wait(minutes(1))
    assert.equal((await post(browser)).status, 201)
  })

  test('an IPv6 network counts as one address, and a forged X-Forwarded-For is ignored', async () => {
    const neighbours = Array.from({ length: 10 }, (_, at) => testApp.browser(`2001:db8:1:2::${at + 1}`))
    for (const browser of neighbours) assert.equal((await post(browser)).status, 201)
    assert.equal((await post(testApp.browser('2001:db8:1:2:ffff::1'))).status, 429)
    assert.equal((await post(testApp.browser('2001:db8:1:3::1'))).status, 201)
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' }
    const spoofed = testApp.browser('2001:db8:1:2::99')
    const reply = await spoofed.fetch('/api/contact', {
      method: 'POST',
      headers,
      body: JSON.stringify(ENQUIRY),
    })
    assert.equal(reply.status, 429)
  })
})
