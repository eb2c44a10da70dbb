import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, readCode, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { signIn } from './contract.ts'

suite('Sign-in with a password', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const tryPassword = async (email: string, password: string, browser = testApp.browser()) =>
    await browser.send('POST', '/api/auth/login', { email, password })

  test('a user signs in with the password, then the code from the email', async () => {
    const admin = testApp.browser()
    const entered = await admin.call(signIn.login, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
    assert.deepEqual(entered, { success: true, requiresTwoFactor: true, user: { name: 'Administrator' } })
    await admin.call(signIn.verifyCode, { code: await readCode(testApp, ADMIN_EMAIL) })
    const { user } = await admin.call(signIn.me, {})
    assert.equal(user.email, ADMIN_EMAIL)
  })

  test('a sign-in finds the account whatever the case of the address', async () => {
    const { email } = await createStaff(testApp)
    const entered = await tryPassword(` ${email.toUpperCase()} `, STAFF_PASSWORD)
    assert.equal(entered.status, 200)
  })

  test('the password alone gives only a pending cookie, which permits nothing else (L3, M1)', async () => {
    const { email } = await createStaff(testApp, 'admin')
    const browser = testApp.browser()
    const reply = await tryPassword(email, STAFF_PASSWORD, browser)
    const cookies = reply.headers.getSetCookie().filter(cookie => !/Max-Age=0/.test(cookie))
    assert.deepEqual(
      cookies.map(cookie => cookie.split('=')[0]),
      ['__Host-pending'],
    )
    for (const path of ['/api/auth/me', '/api/dashboard', '/api/messages'])
      assert.equal((await browser.fetch(path)).status, 401, path)
    browser.cookies.set('__Host-session', browser.cookies.get('__Host-pending') ?? '')
    assert.equal((await browser.fetch('/api/auth/me')).status, 401)
  })

  test('a login ignores unknown keys (L4)', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const extra = { skipEmailVerification: true, twoFactor: false, role: 'admin', verified: true, token: 'x' }
    const browser = testApp.browser()
    const reply = await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD, ...extra })
    assert.equal((await reply.json()).requiresTwoFactor, true)
    const { role } = await db
      .selectFrom('users')
      .select('role')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(role, 'viewer')
  })

  test('a sign-in never adopts a session id that was set in the browser before (L5)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    browser.cookies.set('__Host-session', 'evil')
    await signInByHand(testApp, email, browser)
    const adopted = browser.cookies.get('__Host-session')
    assert.match(adopted ?? '', /^[\w-]{43}$/)
    const thief = testApp.browser()
    thief.cookies.set('__Host-session', 'evil')
    assert.equal((await thief.fetch('/api/auth/me')).status, 401)
  })

  test('a login is refused from another site, without an origin and without a security token (L6)', async () => {
    const { email } = await createStaff(testApp)
    const login = { email, password: STAFF_PASSWORD }
    const askWith = async (headers: Record<string, string | null>) =>
      await testApp.browser().send('POST', '/api/auth/login', login, headers)
    const elsewhere = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': null, origin: 'https://evil.test' },
      { 'sec-fetch-site': null, origin: 'null' },
      { 'sec-fetch-site': null, origin: null },
    ]
    for (const headers of elsewhere) {
      const reply = await askWith(headers)
      assert.equal(reply.status, 403, JSON.stringify(headers))
      assert.match((await reply.json()).message, new RegExp(PUBLIC_URL))
    }
    const forged = await askWith({ 'x-csrf-token': null })
    assert.equal(forged.status, 403)
    assert.equal((await forged.json()).code, 'csrf_invalid')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
      assert.equal((await askWith({ 'content-type': type })).status, 415, type)
  })

  test('a login refuses a password longer than any that can be set (L9)', async () => {
    const { email } = await createStaff(testApp)
    assert.equal((await tryPassword(email, 'x'.repeat(1_000_000))).status, 413)
    assert.equal((await tryPassword(email, 'x'.repeat(257))).status, 400)
    assert.equal((await tryPassword(email, 'x'.repeat(256))).status, 401)
  })

  test('a login accepts only text for the address and the password (L13)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    for (const odd of [{ $ne: 1 }, ['a'], 1, null, true]) {
      const byAddress = await browser.send('POST', '/api/auth/login', {
        email: odd,
        password: STAFF_PASSWORD,
      })
      assert.equal(byAddress.status, 400)
      const { errors } = await byAddress.json()
      assert.deepEqual(errors, { email: 'Please enter a valid email address' })
      const byPassword = await browser.send('POST', '/api/auth/login', { email, password: odd })
      assert.equal(byPassword.status, 400)
    }
  })

  test('a login refuses a body with a duplicate key (L14)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    const { csrfToken } = await browser.call(signIn.csrfToken, {})
    const body = `{"email":"nobody@agency.test","email":${JSON.stringify(email)},"password":"x"}`
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
    const reply = await browser.fetch('/api/auth/login', { method: 'POST', headers, body })
    assert.equal(reply.status, 400)
  })

  test('emails never contain the Host of a request (L15)', async () => {
    const { email } = await createStaff(testApp)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    const reply = await testApp
      .browser()
      .send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD }, headers)
    assert.equal(reply.status, 200)
    const message = await testApp.mailServer.next(({ recipients }) => recipients.includes(email))
    assert.doesNotMatch(message.raw, /evil/)
  })

  test('a login whose email cannot be sent takes the code from the console, once, and in no log (found E1)', async context => {
    const { email } = await createStaff(testApp)
    testApp.mailServer.behaviour = 'refuse'
    context.after(() => {
      testApp.mailServer.behaviour = 'accept'
    })
    const browser = testApp.browser()
    assert.equal((await tryPassword(email, STAFF_PASSWORD, browser)).status, 200)
    assert.deepEqual((await browser.call(signIn.pending, {})).factors, ['console'])
    const line = testApp.console.at(-1) ?? ''
    const code = /Sign-in code: (\d{6})/.exec(line)?.[1] ?? ''
    assert.ok(line.includes(email))
    await testApp.services.flushLog()
    const entries = await db.selectFrom('logs').selectAll().execute()
    assert.ok(!JSON.stringify(entries).includes(code))
    testApp.mailServer.behaviour = 'accept'
    const other = testApp.browser()
    assert.equal((await tryPassword(email, STAFF_PASSWORD, other)).status, 200)
    await browser.call(signIn.verifyCode, { code })
    assert.equal((await other.send('POST', '/api/auth/verify-2fa', { code })).status, 401)
  })

  test('nobody gets a code on the console without the password (found E1)', async context => {
    const { email } = await createStaff(testApp)
    testApp.mailServer.behaviour = 'refuse'
    context.after(() => {
      testApp.mailServer.behaviour = 'accept'
    })
    const before = testApp.console.filter(line => line.includes('Sign-in code')).length
    assert.equal((await tryPassword(email, 'Wrong-Password-1!')).status, 401)
    assert.equal(testApp.console.filter(line => line.includes('Sign-in code')).length, before)
  })
})
