import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../tests/support/at-length.ts'
import type { Browser } from '../../../tests/support/browser.ts'
import {
  openTestAppWithCaptcha,
  PLACEHOLDER,
  pause,
  visitor,
} from '../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../tests/support/until.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { claimKey } from '../../http/idempotency-store.ts'
import { minutes } from '../../platform/clock.ts'

suite('Unverified enquiries', async () => {
  const { google, testApp, newToken } = await openTestAppWithCaptcha()

  test('one address may have three unverified enquiries stored in ten minutes (Q4)', async () => {
    const browser = testApp.browser()
    for (const token of [PLACEHOLDER, 'recaptcha_unavailable_nojs', 'recaptcha_disabled'])
      assert.equal(await statusOf(browser, token), 201)
    const error = await post(browser, PLACEHOLDER)
    assert.equal(error.status, 429)
    assert.match(error.headers.get('retry-after') ?? '', /^(600|59\d)$/)
    testApp.wait(minutes(9))
    assert.equal(await statusOf(browser, PLACEHOLDER), 429)
    testApp.wait(minutes(1))
    assert.equal(await statusOf(browser, PLACEHOLDER), 201)
  })

  test('a low score counts as unverified', async () => {
    const browser = testApp.browser()
    google.facts.score = 0.2
    for (let sent = 0; sent < 3; sent++) assert.equal(await statusOf(browser, newToken()), 201)
    assert.equal(await statusOf(browser, newToken()), 429)
    google.facts.score = 0.9
    assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('ten verified enquiries are stored, and the provider is not asked about an eleventh', async () => {
    const browser = testApp.browser()
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, newToken()), 201)
    const asked = google.asked.length
    assert.equal(await statusOf(browser, newToken()), 429)
    assert.equal(await statusOf(browser, newToken(), { 'idempotency-key': 'an-eleventh' }), 429)
    assert.equal(google.asked.length, asked)
    testApp.wait(minutes(10))
    assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('ten enquiries are stored while the check is off, whatever their tokens', async () => {
    await testApp.services.settings.write('recaptcha_enabled', 'false')
    const browser = testApp.browser()
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, PLACEHOLDER), 201)
    assert.equal(await statusOf(browser, PLACEHOLDER), 429)
    await testApp.services.settings.write('recaptcha_enabled', 'true')
  })

  test('three of fifty concurrent unverified enquiries are stored, and seven verified ones still fit', async () => {
    const browser = testApp.browser()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(browser, PLACEHOLDER)))
    assert.equal(statuses.filter(status => status === 201).length, 3)
    assert.equal(statuses.filter(status => status === 429).length, 47)
    for (let sent = 0; sent < 7; sent++) assert.equal(await statusOf(browser, newToken()), 201)
    assert.equal(await statusOf(browser, newToken()), 429)
  })

  // On PostgreSQL each is counted in the database, which is slower.
  const flood = atLength(1000, 10_000)
  test('three of thousands of unverified enquiries are stored, and staff get three emails (Q7)', async () => {
    const { db } = testApp.services
    const count = async () => [
      (await db.selectFrom('messages').select('id').execute()).length,
      (await db.selectFrom('outbox').select('id').execute()).length,
    ]
    const [messages = 0, emails = 0] = await count()
    const browser = testApp.browser()
    const seen = new Map<number, number>()
    for (let sent = 0; sent < flood; sent += 50)
      for (const { status } of await Promise.all(
        Array.from({ length: 50 }, () => post(browser, PLACEHOLDER)),
      ))
        seen.set(status, (seen.get(status) ?? 0) + 1)
    assert.deepEqual(Object.fromEntries(seen), { 201: 3, 429: flood - 3 })
    assert.deepEqual(await count(), [messages + 3, emails + 3])
  })

  test('a rejected token uses up no quota', async () => {
    const browser = testApp.browser()
    for (let sent = 0; sent < 20; sent++) assert.equal(await statusOf(browser, 'forged'), 400)
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('an enquiry that could not be stored uses up no quota', async () => {
    const browser = testApp.browser()
    const { addOnce } = failingOutbox()
    for (let sent = 0; sent < 5; sent++) {
      addOnce()
      assert.equal(await statusOf(browser, PLACEHOLDER), 500)
    }
    for (let sent = 0; sent < 3; sent++) assert.equal(await statusOf(browser, PLACEHOLDER), 201)
  })

  test('a repeat gets the first reply without a request to the provider', async () => {
    const browser = testApp.browser()
    const token = newToken()
    const first = await (await post(browser, token, { 'idempotency-key': 'one-and-the-same' })).json()
    const asked = google.asked.length
    const again = await post(browser, token, { 'idempotency-key': 'one-and-the-same' })
    assert.equal(again.status, 201)
    assert.deepEqual(await again.json(), first)
    assert.equal(google.asked.length, asked)
  })

  test('twenty concurrent repeats with a token that works once are one enquiry', async () => {
    const browser = testApp.browser()
    const headers = { 'idempotency-key': 'twenty-at-once' }
    const token = newToken()
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(browser, token, headers)))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201])
    const references = await Promise.all(responses.map(async response => (await response.json()).reference))
    assert.equal(new Set(references).size, 1)
  })

  test('a repeat is not rejected for an error of the first attempt', async () => {
    const browser = testApp.browser()
    const headers = { 'idempotency-key': 'second-thoughts' }
    const responses = await Promise.all([
      post(browser, 'forged', headers),
      post(browser, newToken(), headers),
    ])
    assert.deepEqual(
      responses.map(({ status }) => status),
      [400, 201],
    )
  })

  test('a third repeat waits for the second when the first is already answered', async () => {
    const browser = testApp.browser()
    const headers = { 'idempotency-key': 'one-two-three' }
    google.behaviour = 'hold'
    google.asked.length = 0
    const token = newToken()
    const first = post(browser, 'forged', headers)
    const second = post(browser, token, headers)
    await until(() => google.asked.length === 1)
    google.release()
    assert.equal((await first).status, 400)
    await until(() => google.asked.length === 2)
    const third = post(browser, token, headers)
    await pause()
    assert.equal(google.asked.length, 2)
    google.behaviour = 'answer'
    google.release()
    assert.equal((await second).status, 201)
    assert.deepEqual(await (await third).json(), await (await second).json())
  })

  test('an enquiry whose key another node claimed first uses up no quota', async () => {
    const { db, clock } = testApp.services
    const browser = testApp.browser()
    google.behaviour = 'hold'
    google.asked.length = 0
    const slow = post(browser, newToken(), { 'idempotency-key': 'on-two-nodes' })
    await until(() => google.asked.length === 1)
    const idempotencyKey = keyFromHeader('contact', 'on-two-nodes', 'another')
    assert.ok(idempotencyKey)
    const reply = { message: 'of another enquiry', reference: 'LF-2222-2222' }
    await claimKey(db, clock, { ...idempotencyKey, reply })
    google.behaviour = 'answer'
    google.release()
    assert.equal((await slow).status, 422)
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, newToken()), 201)
  })

  /** Makes the next email fail as a bug would. */
  function failingOutbox() {
    const { outbox } = testApp.services
    const { add } = outbox
    return {
      addOnce: () => {
        outbox.add = async () => {
          outbox.add = add
          throw new Error('a bug')
        }
      },
    }
  }
})

async function post(browser: Browser, recaptchaToken: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ ...visitor, recaptchaToken })
  const type = { 'content-type': 'application/json' }
  return await browser.fetch('/api/contact', { method: 'POST', headers: { ...type, ...headers }, body })
}

async function statusOf(browser: Browser, recaptchaToken: string, headers: Record<string, string> = {}) {
  return (await post(browser, recaptchaToken, headers)).status
}
