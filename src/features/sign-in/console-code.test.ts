import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { minutes, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'
import { saveConsoleCode } from './store.server.ts'

const CODE = '123456'

suite('Sign-in code printed on the server', async () => {
  const testApp = await openTestApp()
  const { db, clock, keys } = testApp.services

  const printCode = async (userId: string) =>
    await saveConsoleCode(db, clock, userId, hashCode(keys.signInCode, CODE))
  const enterCode = async (browser: Browser) =>
    (await browser.send('POST', '/api/auth/verify-2fa', { code: CODE })).status

  async function logIn(email: string) {
    const browser = testApp.browser()
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    return browser
  }

  async function factorsOf(browser: Browser) {
    const { factors } = await browser.call(signIn.pending, {})
    return factors
  }

  test('a printed code that a pending sign-in has consumed does not work for the next one (V2)', async () => {
    const { id, email } = await createStaff(testApp)
    const waiting = testApp.browser()
    await askForCode(testApp, waiting, email)
    await printCode(id)
    assert.equal(await enterCode(waiting), 200)
    assert.equal(await enterCode(await logIn(email)), 401)
  })

  test('a printed code works in one of several browsers that wait for a code (V2)', async () => {
    const { id, email } = await createStaff(testApp)
    const [first, second] = [await logIn(email), await logIn(email)]
    await printCode(id)
    const third = await logIn(email)
    assert.deepEqual(await Promise.all([first, second, third].map(factorsOf)), Array(3).fill(['console']))
    const statuses = await Promise.all([first, second, third].map(enterCode))
    assert.deepEqual(statuses.sort(), [200, 401, 401])
  })

  test('a printed code is still there for somebody who starts the sign-in again', async () => {
    const { id, email } = await createStaff(testApp)
    await printCode(id)
    const browser = await logIn(email)
    await browser.call(signIn.logout, {})
    assert.equal(await enterCode(await logIn(email)), 200)
  })

  test('a pending sign-in names the printed code as its factor, and the email again after a new code', async () => {
    const { id, email } = await createStaff(testApp)
    await printCode(id)
    const browser = await logIn(email)
    assert.deepEqual(await factorsOf(browser), ['console'])
    testApp.wait(minutes(1) + seconds(1))
    await browser.call(signIn.resendCode, {})
    assert.deepEqual(await factorsOf(browser), ['email'])
  })

  test('a printed code ends five minutes after it was printed, however late the sign-in began (found E1)', async () => {
    const { id, email } = await createStaff(testApp)
    await printCode(id)
    testApp.wait(minutes(4))
    const late = await logIn(email)
    testApp.wait(seconds(30))
    const last = await logIn(email)
    testApp.wait(seconds(30))
    assert.deepEqual([await enterCode(late), await enterCode(last)], [401, 401])
  })

  test('a printed code opens no further sign-in once a resent email was handed over (found E1)', async () => {
    const { id, email } = await createStaff(testApp)
    await printCode(id)
    const browser = await logIn(email)
    testApp.wait(minutes(1) + seconds(1))
    await browser.call(signIn.resendCode, {})
    const other = await logIn(email)
    assert.deepEqual(await factorsOf(other), ['email'])
    assert.equal(await enterCode(other), 401)
  })

  test('a sign-in later than five minutes after a printed code gets an email (V3)', async () => {
    const { id, email } = await createStaff(testApp)
    await printCode(id)
    testApp.wait(minutes(5) + seconds(1))
    assert.deepEqual(await factorsOf(await logIn(email)), ['email'])
  })
})
