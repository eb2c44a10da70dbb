import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { days, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

suite('Trusted device', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  async function trust(email: string): Promise<Browser> {
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    await browser.call(signIn.verifyCode, { code, trustDevice: true })
    await browser.call(signIn.logout, {})
    return browser
  }
  const needsCode = async (browser: Browser, email: string) =>
    (await browser.call(signIn.login, { email, password: STAFF_PASSWORD })).requiresTwoFactor

  test('a trusted device needs no code for thirty days', async () => {
    const { email, ...user } = await createStaff(testApp)
    const browser = await trust(email)
    const entered = await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    assert.deepEqual(entered, { success: true, requiresTwoFactor: false, user: { ...user, email } })
    assert.equal((await browser.call(signIn.me, {})).user.email, email)
    await browser.call(signIn.logout, {})
    testApp.wait(days(30) - seconds(10))
    assert.equal(await needsCode(browser, email), false)
    await browser.call(signIn.logout, {})
    testApp.wait(seconds(11))
    assert.equal(await needsCode(browser, email), true)
  })

  test('a trusted device still needs the password', async () => {
    const { email } = await createStaff(testApp)
    const browser = await trust(email)
    const guess = browser.call(signIn.login, { email, password: 'Wrong-Password-1!' })
    await assert.rejects(guess, { status: 401, message: 'Login failed' })
  })

  test('a device is trusted for one person, in one browser, and only on request', async () => {
    const [trusting, other] = [await createStaff(testApp), await createStaff(testApp)]
    const browser = await trust(trusting.email)
    assert.equal(await needsCode(browser, other.email), true)
    assert.equal(await needsCode(testApp.browser(), trusting.email), true)
    const { email } = await createStaff(testApp)
    const untrusted = await signInByHand(testApp, email)
    await untrusted.call(signIn.logout, {})
    assert.equal(await needsCode(untrusted, email), true)
  })

  test('a login with a trusted device ends the previous session of this browser', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = await trust(email)
    await needsCode(browser, email)
    await needsCode(browser, email)
    const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    assert.equal(sessions.length, 1)
  })
})
