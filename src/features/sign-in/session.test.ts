import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { hours, minutes } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

suite('Session', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const me = async (browser: Browser) => await browser.fetch('/api/auth/me')
  const sessionsOf = async (userId: string) =>
    await db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()

  test('a signed-in user can read who they are and nothing more (M1, M4)', async () => {
    const user = await createStaff(testApp, 'editor')
    const reply = await me(await signInByHand(testApp, user.email))
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await reply.json(), {
      success: true,
      user,
      permissions: ['content:read', 'content:edit'],
    })
    assert.equal((await me(testApp.browser())).status, 401)
  })

  test('a session has the current role of its user (M2)', async () => {
    const { id, email } = await createStaff(testApp, 'admin')
    const browser = await signInByHand(testApp, email)
    assert.equal((await browser.fetch('/api/messages')).status, 200)
    await db.updateTable('users').set({ role: 'viewer' }).where('id', '=', id).execute()
    assert.equal((await browser.call(signIn.me, {})).user.role, 'viewer')
    assert.equal((await browser.fetch('/api/messages')).status, 403)
  })

  test('a user is signed out immediately when the account is deleted (M3)', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    await db.deleteFrom('users').where('id', '=', id).execute()
    assert.equal((await me(browser)).status, 401)
    assert.deepEqual(await sessionsOf(id), [])
  })

  test('the session cookie is readable only by this site and by no script', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    const message = await testApp.mailServer.next(({ recipients }) => recipients.includes(email))
    const code = /^\d{6}$/m.exec(message.text ?? '')?.[0]
    const reply = await browser.send('POST', '/api/auth/verify-2fa', { code })
    const [session = '', hint] = reply.headers.getSetCookie().filter(cookie => !/Max-Age=0/.test(cookie))
    assert.match(
      session,
      /^__Host-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    assert.equal(hint, '__Host-signed_in=1; Max-Age=43200; Path=/; Secure; SameSite=Lax')
  })

  test('a session leaves no cookie value in the database', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const stored = JSON.stringify(await sessionsOf(id))
    assert.ok(!stored.includes(browser.cookies.get('__Host-session') ?? ''))
    assert.match(stored, /test browser/)
  })

  test('a session expires after sixty minutes without a call (idle)', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    testApp.wait(minutes(59))
    assert.equal((await me(browser)).status, 200)
    testApp.wait(minutes(59))
    assert.equal((await me(browser)).status, 200)
    testApp.wait(minutes(60))
    assert.equal((await me(browser)).status, 401)
    await signInByHand(testApp, email, browser)
    assert.equal((await me(browser)).status, 200)
  })

  test('a session expires after twelve hours, even when it is in use', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    for (let passed = minutes(50); passed < hours(12); passed += minutes(50)) {
      testApp.wait(minutes(50))
      assert.equal((await me(browser)).status, 200)
    }
    testApp.wait(minutes(19))
    assert.equal((await me(browser)).status, 200)
    testApp.wait(minutes(1))
    assert.equal((await me(browser)).status, 401)
  })

  test('a logout ends the session, also for a stolen cookie (O1, M3)', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const stolen = testApp.browser()
    stolen.cookies.set('__Host-session', browser.cookies.get('__Host-session') ?? '')
    const reply = await browser.send('POST', '/api/auth/logout')
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('clear-site-data'), '"cache"')
    assert.deepEqual([...browser.cookies.keys()], ['__Host-anonymous', '__Host-browser'])
    assert.deepEqual(await sessionsOf(id), [])
    assert.equal((await me(stolen)).status, 401)
  })

  test('a logout ends only the session of this browser', async () => {
    const { email } = await createStaff(testApp)
    const [here, there] = [await signInByHand(testApp, email), await signInByHand(testApp, email)]
    await here.call(signIn.logout, {})
    assert.equal((await me(there)).status, 200)
  })

  test('a link or another site cannot log a user out (O2, O3)', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const byLink = await browser.fetch('/api/auth/logout')
    assert.equal(byLink.status, 405)
    assert.equal(byLink.headers.get('allow'), 'POST, OPTIONS')
    const forged = await browser.send('POST', '/api/auth/logout', undefined, { 'x-csrf-token': null })
    assert.equal(forged.status, 403)
    assert.equal((await forged.json()).code, 'csrf_invalid')
    const foreign = await browser.send('POST', '/api/auth/logout', undefined, {
      'sec-fetch-site': null,
      origin: 'https://evil.test',
    })
    assert.equal(foreign.status, 403)
    assert.equal((await me(browser)).status, 200)
  })

  test('a logout succeeds twice, and without a sign-in (O4)', async () => {
    const browser = testApp.browser()
    assert.equal((await browser.send('POST', '/api/auth/logout')).status, 200)
    assert.equal((await browser.send('POST', '/api/auth/logout')).status, 200)
  })

  test('whatever another site sends from the address of an office, staff there can sign out', async () => {
    const OFFICE = '203.0.113.77'
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email, testApp.browser(OFFICE))
    const statuses = new Set<number>()
    for (let at = 0; at < 310; at++) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
      statuses.add(
        (await testApp.browser(OFFICE).fetch('/api/auth/logout', { method: 'POST', headers })).status,
      )
    }
    assert.deepEqual([...statuses].sort(), [403, 429])
    assert.equal((await browser.send('POST', '/api/auth/logout')).status, 200)
    assert.equal((await me(browser)).status, 401)
    testApp.wait(minutes(1))
  })

  test('a logout between password and code deletes the pending sign-in', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = testApp.browser()
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    await browser.call(signIn.logout, {})
    const pending = await db
      .selectFrom('pending_sign_ins')
      .select('user_id')
      .where('user_id', '=', id)
      .execute()
    assert.deepEqual(pending, [])
  })

  test('a new login with a password ends the session of this browser', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    assert.equal(browser.cookies.has('__Host-signed_in'), false)
    assert.equal((await me(browser)).status, 401)
  })

  test('a session cookie is ignored beside an invalid Authorization header (A14)', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const reply = await browser.fetch('/api/auth/me', { headers: { authorization: 'junk' } })
    assert.equal(reply.status, 401)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  })
})

suite('Session over plain HTTP', async () => {
  const testApp = await openTestApp({ publicUrl: PUBLIC_URL.replace('https', 'http') })

  test('a browser gets cookies that it accepts over plain HTTP', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    assert.deepEqual([...browser.cookies.keys()].sort(), ['anonymous', 'browser', 'session', 'signed_in'])
    assert.equal((await browser.fetch('/api/auth/me')).status, 200)
    const reply = await testApp.browser().fetch('/api/csrf-token')
    assert.match(
      reply.headers.getSetCookie()[0] ?? '',
      /^anonymous=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })
})
