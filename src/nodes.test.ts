import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Browser } from '../tests/support/browser.ts'
import { stopwatch } from '../tests/support/processor-time.ts'
import { openRecaptchaServer, SECRET_KEY } from '../tests/support/recaptcha-server.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../tests/support/staff.ts'
import { openTestApp, type TestApp } from '../tests/support/test-app.ts'
import { visitor } from '../tests/support/test-app-with-captcha.ts'
import { createToken, createTokenClient } from '../tests/support/token-client.ts'
import { until } from '../tests/support/until.ts'
import { messages } from './features/inbox/contract.ts'
import { profile } from './features/profile/contract.ts'
import { signIn } from './features/sign-in/contract.ts'
import { users } from './features/users/contract.ts'
import { minutes, seconds } from './platform/clock.ts'

const skip = !process.env.TEST_DATABASE_URL && 'SQLite has one node'

suite('Two nodes on one PostgreSQL', { skip }, async () => {
  if (skip) return
  const google = await openRecaptchaServer('agency.test')
  after(() => google.close())
  const a = await openTestApp({ recaptchaVerifyUrl: google.url })
  const { databaseUrl, secretKey, smtpUrl } = a.services.config
  const b = {
    ...(await openTestApp({ databaseUrl, secretKey, smtpUrl, recaptchaVerifyUrl: google.url })),
    mailServer: a.mailServer,
  }
  const { db } = a.services

  /** The same browser, as the other node sees it. */
  function useNode(browser: Browser, node: TestApp, address?: string): Browser {
    const other = node.browser(address)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    return other
  }

  const send = async (node: TestApp, address: string, change: object = {}, headers = {}) =>
    await node.browser(address).fetch('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...visitor, ...change }),
    })

  test('two nodes store ten enquiries of an address in ten minutes, however they are spread (F16)', async () => {
    const address = '198.51.100.1'
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, at) => send(at % 2 ? a : b, address, { name: 'Spread Out' })),
    )
    assert.equal(replies.filter(({ status }) => status === 201).length, 10)
    const stored = db.selectFrom('messages').select('id').where('name', '=', 'Spread Out')
    assert.equal((await stored.execute()).length, 10)
    assert.equal((await send(a, address)).status, 429)
    const refused = await send(b, address)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 590 && wait <= 600, String(wait))
    assert.equal((await send(b, '198.51.100.2')).status, 201, 'another address is not concerned')
    for (const node of [a, b]) node.wait(minutes(10))
    assert.equal((await send(b, address)).status, 201)
  })

  test('a node refuses an address that was refused sixty times in a minute on the other (F16)', async () => {
    const address = '198.51.100.3'
    for (let count = 0; count < 60; count++) assert.equal((await send(a, address, { name: '' })).status, 400)
    assert.equal((await send(b, address, { name: '' })).status, 429)
    assert.equal((await send(b, address)).status, 429, 'and before anything is read')
  })

  test('two nodes count the logins of an address together (F16)', async () => {
    const address = '198.51.100.4'
    const credentials = { email: 'nobody@agency.test', password: 'Wrong-Horse-7-Staple!' }
    const logIn = async (node: TestApp) =>
      (await node.browser(address).send('POST', '/api/auth/login', credentials)).status
    for (let count = 0; count < 20; count++) assert.equal(await logIn(count % 2 ? a : b), 401)
    assert.deepEqual([await logIn(a), await logIn(b)], [429, 429])
  })

  test('a node ends a session that the other one ends (F16)', async () => {
    const here = await signInAs(a, (await createStaff(a)).email)
    const there = useNode(here, b)
    await there.call(signIn.me, {})
    assert.equal((await here.send('POST', '/api/auth/logout')).status, 200)
    await assert.rejects(there.call(signIn.me, {}), { status: 401 })
  })

  test('a new password on one node ends all other sessions on both, and a new role applies to both (F16)', async () => {
    const { id, email } = await createStaff(a, 'admin')
    const here = await signInAs(a, email)
    const [there, elsewhere] = [useNode(here, b), await signInAs(b, email)]
    await there.call(messages.list, {})
    await here.call(profile.change, { password: 'Silver-Harbour-3-Lamp!', currentPassword: STAFF_PASSWORD })
    await assert.rejects(elsewhere.call(signIn.me, {}), { status: 401 })
    await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', id).execute()
    await assert.rejects(useNode(here, b).call(messages.list, {}), { status: 403 })
  })

  test('a node refuses a token that was revoked on the other (F16)', async () => {
    const boss = await createStaff(a, 'admin')
    const here = await signInAs(a, boss.email)
    const { id, token } = await createToken(here, boss)
    const there = createTokenClient(b, token)
    assert.equal((await there('GET', '/api/messages')).status, 200)
    assert.equal((await here.send('DELETE', `/api/admin/tokens/${id}`)).status, 200)
    assert.equal((await there('GET', '/api/messages')).status, 401)
  })

  test('two nodes keep one admin when each demotes the other (F16)', async () => {
    await db.updateTable('users').set({ role: 'viewer' }).where('is_default', '=', 0).execute()
    const [left, right] = [await createStaff(a, 'admin'), await createStaff(a, 'admin')]
    await db.updateTable('users').set({ role: 'viewer' }).where('is_default', '=', 1).execute()
    const [here, there] = [await signInAs(a, left.email), await signInAs(b, right.email)]
    await Promise.allSettled([
      here.call(users.change, { id: right.id, role: 'viewer' }),
      there.call(users.change, { id: left.id, role: 'viewer' }),
    ])
    const admins = await db.selectFrom('users').select('id').where('role', '=', 'admin').execute()
    assert.equal(admins.length, 1)
  })

  test('two nodes store one enquiry when a repeat reaches both concurrently, and reply alike (F16)', async () => {
    const headers = { 'idempotency-key': 'one-key-for-two-nodes' }
    const name = 'Both At Once'
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => send(at % 2 ? a : b, '198.51.100.5', { name }, headers)),
    )
    const answers = await Promise.all(
      replies.map(async reply => [reply.status, (await reply.json()).reference]),
    )
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal(answers[0]?.[0], 201)
    const stored = db.selectFrom('messages').select('id').where('name', '=', name)
    assert.equal((await stored.execute()).length, 1)
  })

  test('a node applies a setting of the other within two seconds, and both share a token that works once (F16)', async () => {
    const admin = await signInAs(a, (await createStaff(a, 'admin')).email)
    const set = async (key: string, value: string) =>
      assert.equal((await admin.send('PUT', `/api/settings/${key}`, { value })).status, 200)
    await set('recaptcha_site_key', '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI')
    await set('recaptcha_secret_key', SECRET_KEY)
    const watch = stopwatch()
    await set('recaptcha_enabled', 'true')
    await until(async () => {
      const reply = await b.browser().fetch('/api/public/recaptcha')
      return (await reply.json()).recaptcha.enabled
    })
    assert.ok(watch.passedAtRest() < seconds(2))
    google.facts = { hostname: 'agency.test', action: 'submit', score: 0.9 }
    const headers = { 'idempotency-key': 'one-key-and-one-token' }
    const change = { name: 'One Token', recaptchaToken: 'good-for-once' }
    google.behaviour = 'hold'
    const sent = [a, b].map(node => send(node, '198.51.100.6', change, headers))
    await until(() => google.asked.length === 2)
    google.behaviour = 'answer'
    google.release()
    const replies = await Promise.all(sent)
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(
      (await send(b, '198.51.100.6', { ...change, name: 'Somebody Else' })).status,
      400,
      'without the key it counts as used',
    )
    await set('recaptcha_enabled', 'false')
  })
})
