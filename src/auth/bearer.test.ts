import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { storeMessages } from '../../tests/support/messages.ts'
import { readAllSettings } from '../../tests/support/settings.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { createTokenClient, startProgram } from '../../tests/support/token-client.ts'
import { serveApi } from '../api.ts'
import { newId } from '../database/id.ts'
import { apiTokens } from '../features/api-tokens/contract.ts'
import { days, minutes, seconds } from '../platform/clock.ts'
import { openServices } from '../services.ts'
import { newApiToken } from './api-token.ts'

suite('Requests with an API token', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const owner = await createStaff(testApp, 'admin')
  let admin = await signInAs(testApp, owner.email)

  const start = async (user = owner) => await startProgram(testApp, admin, user)

  test('every node refuses a token once it is revoked (A9)', async () => {
    const services = await openServices(testApp.services.config, { print: () => {} })
    const { id, token, client: here } = await start()
    const there = createTokenClient({ app: serveApi(services).app, services }, token)
    for (const client of [here, there]) assert.equal((await client('GET', '/api/messages')).status, 200)
    await admin.call(apiTokens.revoke, { tokenId: id })
    for (const client of [here, there]) assert.equal((await client('GET', '/api/messages')).status, 401)
    await services.close()
  })

  test('an expired token is refused (A11)', async () => {
    const { client } = await start()
    testApp.wait(days(90) - minutes(1))
    assert.equal((await client('GET', '/api/messages')).status, 200)
    testApp.wait(minutes(1))
    const reply = await client('GET', '/api/messages')
    assert.equal(reply.status, 401)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    assert.match((await reply.json()).message, /token is not valid/)
    admin = await signInAs(testApp, owner.email)
  })

  test('a token that was made while the clock was ahead is over when it is set back', async () => {
    testApp.wait(days(400))
    admin = await signInAs(testApp, owner.email)
    const { client } = await start()
    assert.equal((await client('GET', '/api/messages')).status, 200)
    testApp.wait(-days(400))
    assert.equal((await client('GET', '/api/messages')).status, 401)
    admin = await signInAs(testApp, owner.email)
  })

  test('a token with a wrong checksum is refused without a database query (A12)', async () => {
    const services = await openServices({ ...testApp.services.config }, { print: () => {} })
    const node = { app: serveApi(services).app, services }
    await services.close()
    const token = newApiToken('api')
    const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    assert.equal((await createTokenClient(node, wrong)('GET', '/api/messages')).status, 401)
    assert.ok(
      (await createTokenClient(node, token)('GET', '/api/messages')).status >= 500,
      'a token with a right checksum is looked up',
    )
  })

  test('a token in the URL is not accepted (A13)', async () => {
    const { token } = await start()
    for (const name of ['token', 'access_token', 'authorization', 'api_key'])
      assert.equal((await testApp.browser().fetch(`/api/messages?${name}=${token}`)).status, 401)
  })

  test('a call with an API token needs no security token, may come from any site and ignores cookies (A14)', async () => {
    const viewer = await createStaff(testApp, 'viewer')
    const { client, token } = await start()
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const path = `/api/messages/${newId(clock())}/read`
    assert.equal((await client('PUT', path, undefined, foreign)).status, 404)
    const browser = await signInAs(testApp, viewer.email)
    const both = await browser.fetch('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual((await both.json()).user, owner)
  })

  test('an invalid Authorization header is refused despite a valid cookie, on public calls too (A14)', async () => {
    const { token } = await start()
    const junk = [
      'junk',
      'Bearer',
      'Bearer ',
      `Bearer ${newApiToken('api')}`,
      `Basic ${token}`,
      token,
      `Bearer ${token} ${token}`,
    ]
    for (const authorization of [...junk, ''])
      for (const path of ['/api/messages', '/api/csrf-token', '/healthz']) {
        const reply = await admin.fetch(path, { headers: { authorization } })
        assert.equal(reply.status, 401, `${path} ${authorization}`)
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
      }
    for (const scheme of ['bearer', 'BEARER'])
      assert.equal(
        (await admin.fetch('/api/messages', { headers: { authorization: `${scheme} ${token}` } })).status,
        200,
      )
  })

  test('a token has the current role of its user (U12)', async () => {
    const user = await createStaff(testApp, 'admin')
    const { client } = await start(user)
    assert.equal((await client('GET', '/api/messages')).status, 200)
    await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', user.id).execute()
    assert.equal((await client('GET', '/api/messages')).status, 403)
  })

  test('a token of an admin cannot create an admin, set a password or change mail settings (H1)', async () => {
    const { client } = await start()
    const { id, email } = await createStaff(testApp, 'viewer')
    const staff = await createStaff(testApp, 'admin')
    const before = await db.selectFrom('users').selectAll().where('id', 'in', [id, staff.id]).execute()
    const settings = await readAllSettings(testApp.services.settings)
    const person = { name: 'Thief Thiefson', email: `x-${email}`, role: 'admin', password: STAFF_PASSWORD }
    const calls = [
      ['POST', '/api/users', person],
      ['GET', '/api/users', undefined],
      ['PATCH', `/api/users/${id}`, { role: 'admin' }],
      ['PATCH', `/api/users/${staff.id}`, { password: 'Amber-Ferry-3-Window?' }],
      ['PATCH', `/api/users/${staff.id}`, { email: 'thief@evil.test' }],
      ['DELETE', `/api/users/${id}`, undefined],
      ['POST', `/api/users/${id}/verification`, undefined],
      ['GET', `/api/admin/tokens/${id}`, undefined],
      ['DELETE', `/api/admin/tokens/${id}`, undefined],
      ['PUT', '/api/settings/form_email', { value: 'thief@evil.test' }],
      ['PUT', '/api/settings/mailchimp_transactional_api_key', { value: 'md-a-key-of-a-thief' }],
      ['PUT', '/api/settings/site_name', { value: 'Thieves' }],
      ['PUT', '/api/settings/nothing', { value: 'x' }],
      ['GET', '/api/settings/smtp', undefined],
      ['PUT', '/api/settings/smtp', { provider: 'none' }],
      ['POST', '/api/settings/test-email', {}],
      ['GET', '/api/auth/sessions', undefined],
      ['DELETE', '/api/auth/sessions', {}],
      ['PATCH', '/api/auth/profile', { name: 'Thief Thiefson' }],
    ] as const
    for (const [method, path, body] of calls) {
      const reply = await client(method, path, body)
      assert.deepEqual(
        [reply.status, (await reply.json()).code],
        [403, 'session_required'],
        `${method} ${path}`,
      )
    }
    assert.equal((await client('HEAD', '/api/users')).status, 403)
    const after = await db.selectFrom('users').selectAll().where('id', 'in', [id, staff.id]).execute()
    assert.deepEqual(after, before)
    assert.deepEqual(await readAllSettings(testApp.services.settings), settings)
    assert.equal((await client('GET', '/api/settings')).status, 200, 'reading is allowed')
  })

  test('a call that needs a person refuses a token with the code session_required', async () => {
    const { client } = await start()
    for (const path of ['login', 'verify-2fa', 'resend-2fa', 'logout']) {
      const reply = await client('POST', `/api/auth/${path}`, {})
      assert.deepEqual([reply.status, (await reply.json()).code], [403, 'session_required'], path)
      assert.deepEqual(reply.headers.getSetCookie(), [])
    }
  })

  test('each token is allowed three hundred calls a minute of its own', async () => {
    const [busy, other] = [await start(), await start()]
    testApp.wait(minutes(1))
    const statuses = async (count: number) => {
      const seen = new Set<number>()
      for (let sent = 0; sent < count; sent++) seen.add((await busy.client('GET', '/healthz')).status)
      return seen
    }
    assert.deepEqual(await statuses(300), new Set([200]))
    const refused = await busy.client('GET', '/healthz')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 60)
    assert.equal((await other.client('GET', '/healthz')).status, 200)
    testApp.wait(seconds(30))
    assert.deepEqual(await statuses(2), new Set([429]))
    testApp.wait(seconds(31))
    assert.deepEqual(await statuses(2), new Set([200]))
  })

  test('log entries of a call with a token contain the id of its user', async () => {
    const { client } = await start()
    const [id] = await storeMessages(testApp, [{}])
    const reply = await client('DELETE', `/api/messages/${id}`)
    assert.equal(reply.status, 200)
    const entry =
      testApp.console.find(text => text.includes(reply.headers.get('x-request-id') ?? '?')) ?? '{}'
    assert.equal(JSON.parse(entry).userId, owner.id)
  })
})
