import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../tests/support/conversation.ts'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { hours, minutes } from '../../platform/clock.ts'

const ENQUIRY = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

suite('Idempotency key', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp)
  const { db } = testApp.services

  async function post(
    key: string,
    change: Record<string, unknown> = {},
    browser = testApp.browser(),
    path = '/api/contact',
  ) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const body = JSON.stringify({ ...ENQUIRY, ...change })
    const reply = await browser.fetch(path, { method: 'POST', headers, body })
    return { status: reply.status, body: await reply.json() }
  }

  /** Without JavaScript. The address of the page that it leads to has the reference. */
  async function postForm(name: string) {
    const body = new URLSearchParams({ ...ENQUIRY, name, formType: 'contact' })
    const headers = { origin: testApp.services.config.publicUrl }
    const reply = await fetch(`${site.url}/contact`, { method: 'POST', headers, body, redirect: 'manual' })
    return { status: reply.status, body: reply.headers.get('location') }
  }
  const stored = async (name: string) =>
    await db.selectFrom('messages').select(['id', 'reference']).where('name', '=', name).execute()

  let keys = 0
  const newKey = () => `a-key-of-one-enquiry-${++keys}`

  async function countStored(name: string) {
    const rows = await db.selectFrom('messages').select('id').where('name', '=', name).execute()
    const emails = await db
      .selectFrom('outbox')
      .select('id')
      .where(
        'message_id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
    return { messages: rows.length, emails: emails.length }
  }

  test('an enquiry sent twenty times concurrently is stored once and gets the same reply each time (Q13)', async () => {
    const [key, browser, name] = [newKey(), testApp.browser(), 'Twenty Times']
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(key, { name }, browser)))
    for (const reply of replies) assert.deepEqual(reply, replies[0])
    assert.equal(replies[0]?.status, 201)
    assert.deepEqual(await countStored(name), { messages: 1, emails: 1 })
  })

  test('a repeat gets the same reply later, from another address and with another bot-check token', async () => {
    const [key, name] = [newKey(), 'Later On']
    const first = await post(key, { name, recaptchaToken: 'one' })
    assert.deepEqual(await post(key, { name, recaptchaToken: 'two' }), first)
    assert.deepEqual(await countStored(name), { messages: 1, emails: 1 })
  })

  test('another enquiry under the same key is rejected (Q13)', async () => {
    const key = newKey()
    await post(key)
    for (const change of [
      { message: 'Can my brother join me?' },
      { service: 'family' },
      { phone: '0400111222' },
    ]) {
      const { status, body } = await post(key, change)
      assert.equal(status, 422)
      assert.equal(body.message, 'This Idempotency-Key was used for another request')
    }
  })

  test('the same content under another key or in another form is another enquiry', async () => {
    const [key, name] = [newKey(), 'Three Forms']
    const browser = testApp.browser()
    const [first, second] = [await post(key, { name }), await post(newKey(), { name })]
    const elsewhere = await post(key, { name }, browser, '/api/visa-assessment')
    const references = new Set([first, second, elsewhere].map(({ body }) => body.reference))
    assert.equal(references.size, 3)
    assert.deepEqual(await countStored(name), { messages: 3, emails: 3 })
  })

  test('a repeat gets the same reply for a day, then it is a new enquiry', async () => {
    const [key, name] = [newKey(), 'A Day Later']
    const first = await post(key, { name })
    testApp.wait(hours(24) - minutes(1))
    assert.deepEqual(await post(key, { name }), first)
    testApp.wait(minutes(1))
    const later = await post(key, { name })
    assert.equal(later.status, 201)
    assert.notEqual(later.body.reference, first.body.reference)
    assert.deepEqual(await countStored(name), { messages: 2, emails: 2 })
  })

  test('who sends an enquiry again that staff have deleted since is thanked for a new one, which is stored (Q1)', async () => {
    const staff = await signInToInbox(testApp, 'admin')
    for (const isByScript of [true, false]) {
      const [key, name] = [newKey(), `Deleted Since ${isByScript}`]
      const browser = testApp.browser()
      const send = async () => (isByScript ? await post(key, { name }, browser) : await postForm(name))
      const first = await send()
      assert.deepEqual(await send(), first)
      const [message] = await stored(name)
      assert.ok(message)
      assert.equal((await staff.browser.send('DELETE', `/api/messages/${message.id}`)).status, 200)
      const repeats = await Promise.all([send(), send()])
      assert.deepEqual(repeats[0], repeats[1])
      assert.notDeepEqual(repeats[0], first)
      assert.equal(repeats[0]?.status, first.status)
      const [again, ...more] = await stored(name)
      assert.deepEqual(more, [])
      assert.ok(JSON.stringify(repeats[0]).includes(again?.reference ?? 'nothing is stored'))
    }
  })

  test('a key stays free when the first attempt was rejected', async () => {
    const key = newKey()
    assert.equal((await post(key, { message: 'short' })).status, 400)
    assert.equal((await post(key)).status, 201)
  })

  test('a repeat is answered although the address has used up its quota', async () => {
    const browser = testApp.browser()
    const key = newKey()
    const first = await post(key, {}, browser)
    for (let count = 0; count < 9; count++) assert.equal((await post(newKey(), {}, browser)).status, 201)
    assert.equal((await post(newKey(), {}, browser)).status, 429)
    assert.deepEqual(await post(key, {}, browser), first)
    testApp.wait(minutes(10))
    assert.equal((await post(newKey(), {}, browser)).status, 201)
  })

  test('a key must have 8 to 200 visible ASCII characters', async () => {
    for (const key of ['short', 'x'.repeat(201), 'with a space', 'd\u00e9j\u00e0-vu-1', ''])
      assert.equal((await post(key)).status, 400, key)
    for (const key of ['x'.repeat(8), 'x'.repeat(200)]) assert.equal((await post(key)).status, 201, key)
  })
})
