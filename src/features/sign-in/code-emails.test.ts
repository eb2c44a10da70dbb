import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import {
  askForCode,
  createStaff,
  readCode,
  STAFF_PASSWORD,
  signInByHand,
} from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import { signIn } from './contract.ts'
import { saveConsoleCode } from './store.server.ts'

suite('Limit of code emails', async () => {
  const testApp = await openTestApp()
  const { db, clock, keys } = testApp.services
  const { mailServer } = testApp

  const logIn = async (email: string, browser: Browser = testApp.browser(), password = STAFF_PASSWORD) =>
    await browser.send('POST', '/api/auth/login', { email, password })
  const emailsTo = (email: string) => mailServer.emails.filter(message => message.recipients.includes(email))
  const countPending = async (id: string) =>
    (await db.selectFrom('pending_sign_ins').select('user_id').where('user_id', '=', id).execute()).length
  async function useUp(email: string) {
    for (let count = 0; count < 5; count++) await askForCode(testApp, testApp.browser(), email)
  }

  test('an account gets five codes an hour; further logins are refused and leave no pending sign-in (N8)', async () => {
    const { id, email } = await createStaff(testApp)
    const first = testApp.browser()
    const code = await askForCode(testApp, first, email)
    for (let count = 0; count < 4; count++) await askForCode(testApp, testApp.browser(), email)
    for (let count = 0; count < 35; count++) {
      const browser = testApp.browser()
      const refused = await logIn(email, browser)
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers.get('retry-after'))
      assert.ok(wait > 3500 && wait <= 3600, `${wait}`)
      assert.equal(browser.cookies.has('__Host-pending'), false)
    }
    assert.equal(emailsTo(email).length, 5)
    assert.equal(await countPending(id), 5)
    await first.call(signIn.verifyCode, { code })
    testApp.wait(hours(1) - seconds(30))
    assert.equal((await logIn(email)).status, 429)
    testApp.wait(seconds(31))
    assert.equal((await logIn(email)).status, 200)
  })

  test('concurrent logins get no more than five codes an hour (N8)', async () => {
    const { id, email } = await createStaff(testApp)
    // Each counts as a wrong password until it is checked, so five concurrent ones would lock the account.
    const four = async () => await Promise.all([1, 2, 3, 4].map(() => logIn(email)))
    const replies = [...(await four()), ...(await four())]
    assert.equal(replies.filter(({ status }) => status === 200).length, 5)
    assert.equal(replies.filter(({ status }) => status === 429).length, 3)
    assert.equal(emailsTo(email).length, 5)
    assert.equal(await countPending(id), 5)
  })

  test('resent codes and first codes count together (N8)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    await askForCode(testApp, browser, email)
    for (let count = 0; count < 4; count++) {
      testApp.wait(minutes(1))
      assert.equal((await browser.send('POST', '/api/auth/resend-2fa')).status, 200)
    }
    assert.equal((await logIn(email)).status, 429)
    assert.equal(emailsTo(email).length, 5)
    const codes = []
    for (let count = 0; count < 4; count++) codes.push(await readCode(testApp, email))
    await browser.call(signIn.verifyCode, { code: codes.at(-1) ?? '' })
  })

  test('a wrong password gets the usual reply when the limit of codes is reached (N8)', async () => {
    const { email } = await createStaff(testApp)
    await useUp(email)
    const refused = await logIn(email, testApp.browser(), 'Wrong-Password-1!')
    assert.equal(refused.status, 401)
    assert.equal((await refused.json()).message, 'Login failed')
  })

  test('the limit of codes does not affect a trusted browser, a session or a code printed on the server (N8)', async () => {
    const { id, email } = await createStaff(testApp)
    const trusted = testApp.browser()
    const code = await askForCode(testApp, trusted, email)
    await trusted.call(signIn.verifyCode, { code, trustDevice: true })
    const signedIn = await signInByHand(testApp, email)
    for (let count = 0; count < 3; count++) await askForCode(testApp, testApp.browser(), email)
    assert.equal((await logIn(email, signedIn)).status, 429)
    assert.equal((await signedIn.fetch('/api/auth/me')).status, 200, 'the session stays as it was')
    const reply = await logIn(email, trusted)
    assert.equal((await reply.json()).requiresTwoFactor, false)
    await saveConsoleCode(db, clock, id, hashCode(keys.signInCode, '123456'))
    const browser = testApp.browser()
    assert.equal((await logIn(email, browser)).status, 200)
    await browser.call(signIn.verifyCode, { code: '123456' })
  })

  test('codes that the mail provider refuses are not counted (N8)', async context => {
    const { email } = await createStaff(testApp)
    mailServer.behaviour = 'refuse'
    context.after(() => {
      mailServer.behaviour = 'accept'
    })
    for (let count = 0; count < 7; count++) assert.equal((await logIn(email)).status, 200)
    mailServer.behaviour = 'accept'
    // By then the code on the console has expired.
    testApp.wait(minutes(5))
    for (let count = 0; count < 5; count++) assert.equal((await logIn(email)).status, 200)
    assert.equal((await logIn(email)).status, 429)
  })
})
