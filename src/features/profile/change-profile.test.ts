import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'
import { signIn } from '../sign-in/contract.ts'
import { profile } from './contract.ts'

const OTHER_PASSWORD = 'Amber-Ferry-3-Window?'

suite('Own profile', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const status = async (browser: Browser) => (await browser.fetch('/api/auth/me')).status
  const change = async (browser: Browser, body: object) =>
    await browser.send('PATCH', '/api/auth/profile', body)
  const changePassword = async (browser: Browser, currentPassword = STAFF_PASSWORD) =>
    await change(browser, { password: OTHER_PASSWORD, currentPassword })

  test('every role can change their own name', async () => {
    for (const role of ['viewer', 'editor', 'admin'] as const) {
      const { id, email } = await createStaff(testApp, role)
      const browser = await signInByHand(testApp, email)
      const { user } = await browser.call(profile.change, { name: '  Robin Renamed ' })
      assert.deepEqual(user, { id, email, name: 'Robin Renamed', role })
      assert.equal((await browser.call(signIn.me, {})).user.name, 'Robin Renamed')
    }
  })

  test('users cannot change anything else about themselves', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const browser = await signInByHand(testApp, email)
    for (const extra of [{ role: 'admin' }, { email: 'x@agency.test' }, { id }, { emailVerified: true }])
      assert.equal((await change(browser, extra)).status, 400, JSON.stringify(extra))
    const short = await change(browser, { name: 'Al' })
    assert.deepEqual((await short.json()).errors, { name: 'Name must be at least 3 characters' })
    assert.equal((await change(browser, { name: 'Al\0an' })).status, 400)
    const { role } = (await browser.call(signIn.me, {})).user
    assert.equal(role, 'viewer')
  })

  test('a change of the profile needs a session and a security token', async () => {
    assert.equal((await change(testApp.browser(), { name: 'Nobody' })).status, 401)
    const { email } = await createStaff(testApp)
    const pending = testApp.browser()
    await askForCode(testApp, pending, email)
    assert.equal((await change(pending, { name: 'Nobody' })).status, 401)
    for (const path of ['/api/auth/sessions', '/api/auth/sessions/0190f0f0-0000-7000-8000-000000000000'])
      assert.equal((await pending.send('DELETE', path)).status, 401)
    const browser = await signInByHand(testApp, email)
    const forged = await browser.send('PATCH', '/api/auth/profile', { name: 'Nob' }, { 'x-csrf-token': null })
    assert.equal(forged.status, 403)
  })

  test('a new password needs the current one; other sessions end, this one continues with a new id', async () => {
    const { id, email } = await createStaff(testApp)
    const [here, there] = [await signInByHand(testApp, email), await signInByHand(testApp, email)]
    const waiting = testApp.browser()
    const code = await askForCode(testApp, waiting, email)
    const stolen = testApp.browser()
    const before = here.cookies.get('__Host-session') ?? ''
    stolen.cookies.set('__Host-session', before)
    const [old] = (await here.call(profile.sessions, {})).sessions
    assert.equal((await changePassword(here)).status, 200)
    assert.equal(await status(here), 200)
    assert.equal(await status(there), 401)
    assert.equal(await status(stolen), 401)
    await assert.rejects(waiting.call(signIn.verifyCode, { code }), { status: 401 })
    const { sessions } = await here.call(profile.sessions, {})
    assert.equal(sessions.length, 1)
    assert.notEqual(sessions[0]?.id, old?.id)
    assert.equal(sessions[0]?.createdAt, old?.createdAt, 'it ends when it would have')
    const message = await testApp.mailServer.next(({ recipients, subject }) => {
      return recipients.includes(email) && subject === 'Your password was changed'
    })
    assert.ok(!message.raw.includes(OTHER_PASSWORD))
    const again = await testApp.browser().send('POST', '/api/auth/login', { email, password: OTHER_PASSWORD })
    assert.equal(again.status, 200)
    const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
    assert.ok(row)
  })

  test('after a new password, every browser needs a code again', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    await browser.call(signIn.verifyCode, { code, trustDevice: true })
    const device = browser.cookies.get('__Host-device') ?? ''
    await changePassword(browser)
    assert.equal(browser.cookies.has('__Host-device'), false)
    await browser.call(signIn.logout, {})
    browser.cookies.set('__Host-device', device)
    const entered = await browser.call(signIn.login, { email, password: OTHER_PASSWORD })
    assert.equal(entered.requiresTwoFactor, true)
  })

  test('a new password is refused without the current one, with a wrong one and when it breaks the rules', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const refusals = [
      [{ password: OTHER_PASSWORD }, { currentPassword: 'Please enter your current password' }],
      [
        { password: OTHER_PASSWORD, currentPassword: '' },
        { currentPassword: 'Please enter your current password' },
      ],
      [
        { password: OTHER_PASSWORD, currentPassword: 'Wrong-1!' },
        { currentPassword: 'This is not your current password' },
      ],
      [
        { password: 'aaaaaaaa', currentPassword: STAFF_PASSWORD },
        { password: 'Password must contain at least one uppercase letter' },
      ],
      [
        { password: 'Password1!', currentPassword: STAFF_PASSWORD },
        { password: 'Password must not be a common one that others would guess' },
      ],
    ] as const
    for (const [body, errors] of refusals) {
      const reply = await change(browser, body)
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, errors)
    }
    const login = { email, password: STAFF_PASSWORD }
    assert.equal((await testApp.browser().send('POST', '/api/auth/login', login)).status, 200)
  })

  test('the current password may be wrong five times in fifteen minutes', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const start = Date.now()
    for (let count = 0; count < 4; count++) assert.equal((await changePassword(browser, 'x')).status, 400)
    assert.equal((await changePassword(browser)).status, 200, 'a right password after four wrong ones')
    assert.equal((await changePassword(browser, 'x')).status, 400)
    const refused = await changePassword(browser, OTHER_PASSWORD)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 900)
    const took = Date.now() - start
    testApp.wait(minutes(14) - took)
    assert.equal((await changePassword(browser, OTHER_PASSWORD)).status, 429)
    testApp.wait(took + minutes(1))
    assert.equal((await changePassword(browser, OTHER_PASSWORD)).status, 200)
  })

  test('no more than five of twenty concurrent wrong passwords are checked', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => changePassword(browser, 'x')))
    assert.equal(replies.filter(reply => reply.status === 400).length, 5)
    assert.equal(replies.filter(reply => reply.status === 429).length, 15)
  })
})
