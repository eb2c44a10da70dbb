import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

const WRONG = 'Wrong-Password-1!'

suite('Known browsers', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const tryPassword = async (browser: Browser, email: string, password = STAFF_PASSWORD) =>
    await browser.send('POST', '/api/auth/login', { email, password })
  /** Wrong passwords of strangers, each from their own address. */
  async function guess(email: string, times: number) {
    for (let count = 0; count < times; count++)
      assert.equal((await tryPassword(testApp.browser(), email, WRONG)).status, 401)
  }
  async function guessIn(browser: Browser, email: string, times: number) {
    for (let count = 0; count < times; count++)
      assert.equal((await tryPassword(browser, email, WRONG)).status, 401)
  }
  async function know(email: string, trustDevice = false): Promise<Browser> {
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    await browser.call(signIn.verifyCode, { code, trustDevice })
    await browser.call(signIn.logout, {})
    return browser
  }

  test('a known browser can sign in while strangers have locked the account (N9)', async () => {
    const { email } = await createStaff(testApp)
    const [known, trusted] = [await know(email), await know(email, true)]
    await guess(email, 30)
    assert.equal((await tryPassword(testApp.browser(), email)).status, 401)
    assert.equal((await (await tryPassword(known, email)).json()).requiresTwoFactor, true)
    assert.equal((await (await tryPassword(trusted, email)).json()).requiresTwoFactor, false)
    assert.equal((await tryPassword(testApp.browser(), email)).status, 401, 'strangers stay locked out')
  })

  test('a browser with only the cookie of a trusted device can sign in too (N9)', async () => {
    const { email } = await createStaff(testApp)
    const trusted = await know(email, true)
    trusted.cookies.delete('__Host-browser')
    await guess(email, 5)
    assert.equal((await (await tryPassword(trusted, email)).json()).requiresTwoFactor, false)
  })

  test('a known browser is locked after five wrong passwords of its own; other browsers are not (N9)', async () => {
    const { email } = await createStaff(testApp)
    const [known, other] = [await know(email), await know(email)]
    await guessIn(known, email, 4)
    assert.equal((await tryPassword(known, email)).status, 200, 'a right password after four wrong ones')
    await guessIn(known, email, 5)
    assert.equal((await tryPassword(known, email)).status, 401)
    assert.equal((await tryPassword(other, email)).status, 200)
    assert.equal((await tryPassword(testApp.browser(), email)).status, 200)
    testApp.wait(minutes(10) - seconds(30))
    assert.equal((await tryPassword(known, email)).status, 401)
    testApp.wait(seconds(31))
    await guessIn(known, email, 1)
    testApp.wait(minutes(20) - seconds(30))
    assert.equal((await tryPassword(known, email)).status, 401)
    testApp.wait(seconds(31) + minutes(40))
    assert.equal((await tryPassword(known, email)).status, 200)
  })

  test('no more than five of twelve concurrent passwords of a known browser are checked, and its owner gets an email (N9)', async () => {
    const { id, email } = await createStaff(testApp)
    const known = await know(email)
    await Promise.all(Array.from({ length: 12 }, () => tryPassword(known, email, WRONG)))
    const entries = testApp.console.filter(entry => entry.includes(id))
    assert.equal(entries.filter(entry => /wrong password|Account locked/.test(entry)).length, 5)
    testApp.wait(seconds(6))
    await until(() =>
      testApp.mailServer.emails.some(
        ({ recipients, subject }) => recipients.includes(email) && /temporarily locked/.test(subject ?? ''),
      ),
    )
  })

  test('a known browser is unknown to every other account, and so is a forged cookie (N9)', async () => {
    const [owner, staff] = [await createStaff(testApp), await createStaff(testApp)]
    const known = await know(staff.email)
    const forged = testApp.browser()
    for (const name of ['browser', 'device']) forged.cookies.set(`__Host-${name}`, 'x'.repeat(43))
    await guess(owner.email, 5)
    for (const browser of [known, forged]) assert.equal((await tryPassword(browser, owner.email)).status, 401)
    const another = await createStaff(testApp)
    await guessIn(known, another.email, 5)
    assert.equal((await tryPassword(testApp.browser(), another.email)).status, 401, 'it counts as a stranger')
  })

  test('a new password from an admin resets the wrong passwords of a known browser (N9)', async () => {
    const { id, email } = await createStaff(testApp)
    const known = await know(email)
    await guessIn(known, email, 5)
    const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)
    const password = 'Amber-Ferry-3-Window?'
    assert.equal((await admin.send('PATCH', `/api/users/${id}`, { password })).status, 200)
    assert.equal((await tryPassword(known, email, password)).status, 200)
    const left = await db.selectFrom('browser_login_attempts').selectAll().where('user_id', '=', id).execute()
    assert.deepEqual(left, [])
  })

  test('a known browser has twenty logins of its own when the limit of its network is used up (N3, L8)', async () => {
    const { email } = await createStaff(testApp)
    const known = await know(email, true)
    const address = '198.51.100.99'
    const neighbour = testApp.browser(address)
    const moved = testApp.browser(address)
    for (const [name, value] of known.cookies) moved.cookies.set(name, value)
    for (let count = 0; count < 20; count++)
      assert.equal((await tryPassword(neighbour, `nobody-${count}@agency.test`, WRONG)).status, 401)
    assert.equal((await tryPassword(neighbour, email)).status, 429)
    for (let count = 0; count < 20; count++) assert.equal((await tryPassword(moved, email)).status, 200)
    assert.equal((await tryPassword(moved, email)).status, 429, 'its own limit')
  })

  test('a login that cannot be read is counted too, of a known browser as of any other', async () => {
    const { email } = await createStaff(testApp)
    for (const browser of [await know(email), testApp.browser()]) {
      for (let count = 0; count < 20; count++)
        assert.equal((await tryPassword(browser, 'no address')).status, 400)
      assert.equal((await tryPassword(browser, 'no address')).status, 429)
    }
  })

  test('four wrong passwords no longer count after a day without one (N9)', async () => {
    const [patient, early] = [await createStaff(testApp), await createStaff(testApp)]
    await guess(patient.email, 4)
    await guess(early.email, 4)
    testApp.wait(days(1) - minutes(1))
    await guess(early.email, 1)
    assert.equal((await tryPassword(testApp.browser(), early.email)).status, 401)
    testApp.wait(minutes(1))
    await guess(patient.email, 4)
    assert.equal((await tryPassword(testApp.browser(), patient.email)).status, 200)
  })
})
