import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, readCode, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

suite('Pending sign-in', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const ask = async (browser: Browser) => await browser.fetch('/api/auth/pending')

  async function pendingPerson() {
    const user = await createStaff(testApp, 'admin')
    const browser = testApp.browser()
    return { user, browser, code: await askForCode(testApp, browser, user.email) }
  }

  test('a pending sign-in shows the name of the user and how the code was sent, and nothing more (L3)', async () => {
    const { user, browser } = await pendingPerson()
    const reply = await ask(browser)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.deepEqual(reply.headers.getSetCookie(), [])
    assert.deepEqual(await reply.json(), { success: true, user: { name: user.name }, factors: ['email'] })
  })

  test('a pending sign-in permits only this call and those that verify or resend the code (L3)', () => {
    const own = testApp.served.filter(({ access }) => access === 'pending')
    assert.deepEqual(own.map(({ method, path }) => `${method} ${path}`).sort(), [
      'GET /api/auth/pending',
      'POST /api/auth/resend-2fa',
      'POST /api/auth/verify-2fa',
    ])
  })

  test('reading a pending sign-in does not extend it (L3)', async () => {
    const { user, browser } = await pendingPerson()
    const read = async () =>
      await db
        .selectFrom('pending_sign_ins')
        .selectAll()
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
    const before = await read()
    testApp.wait(minutes(59))
    assert.equal((await ask(browser)).status, 200)
    assert.deepEqual(await read(), before)
    testApp.wait(minutes(2))
    assert.equal((await ask(browser)).status, 401)
  })

  test('a pending sign-in ends with the right code, five wrong codes or a sign-out (L3)', async () => {
    const nobody = await ask(testApp.browser())
    assert.equal(nobody.status, 401)
    const signedIn = await pendingPerson()
    const cookie = signedIn.browser.cookies.get('__Host-pending') ?? ''
    await signedIn.browser.call(signIn.verifyCode, { code: signedIn.code })
    assert.equal((await ask(signedIn.browser)).status, 401)
    const thief = testApp.browser()
    thief.cookies.set('__Host-pending', cookie)
    assert.equal((await ask(thief)).status, 401)

    const guesser = await pendingPerson()
    const wrong = guesser.code === '000000' ? '000001' : '000000'
    for (const _ of Array(5))
      await assert.rejects(guesser.browser.call(signIn.verifyCode, { code: wrong }), { status: 401 })
    assert.equal((await ask(guesser.browser)).status, 401)

    const leaver = await pendingPerson()
    await leaver.browser.call(signIn.logout, {})
    assert.equal((await ask(leaver.browser)).status, 401)
  })

  test('the code still works after the pending sign-in was read', async () => {
    const { user, browser, code } = await pendingPerson()
    await ask(browser)
    const { user: entered } = await browser.call(signIn.verifyCode, { code })
    assert.equal(entered.id, user.id)
  })

  test('a pending sign-in survives a resend, and is not readable once a session exists', async () => {
    const { user, browser } = await pendingPerson()
    testApp.wait(minutes(1))
    await browser.call(signIn.resendCode, {})
    await readCode(testApp, user.email)
    assert.equal((await ask(browser)).status, 200)
    const { email } = await createStaff(testApp)
    await signInByHand(testApp, email, browser)
    assert.equal((await ask(browser)).status, 401)
  })
})
