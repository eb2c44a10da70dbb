import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { SECRET_KEY } from '../../../tests/support/recaptcha-server.ts'
import { createStaff, readCode, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../../tests/support/test-app.ts'
import { openTestAppWithCaptcha, PLACEHOLDER } from '../../../tests/support/test-app-with-captcha.ts'
import { ApiError } from '../../http/api-client.ts'
import { hours, minutes } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

const NOBODY = 'nobody@agency.test'

suite('Sign-in with the bot check on', async () => {
  const { google, testApp, newToken } = await openTestAppWithCaptcha()
  const { settings } = testApp.services

  beforeEach(async () => {
    // Resets the failures of the previous test, the locks and the limits of codes.
    testApp.wait(hours(1))
    google.behaviour = 'answer'
    await settings.write('recaptcha_enabled', 'true')
    await settings.write('recaptcha_secret_key', SECRET_KEY)
  })

  test('a sign-in with a real token and the right password is accepted', async () => {
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
  })

  for (const token of [undefined, '', 'forged'])
    test(`a sign-in with the token "${token}" is refused, whatever the password`, async () => {
      assert.equal(await login(testApp.browser(), token), 'token refused')
      assert.equal(await login(testApp.browser(), token, { password: 'wrong' }), 'token refused')
    })

  for (const token of [PLACEHOLDER, 'recaptcha_disabled', 'recaptcha_unavailable_nojs'])
    test(`a sign-in with ${token} is accepted until the account has failed three times (L11)`, async () => {
      for (let failure = 1; failure <= 2; failure++)
        assert.equal(await login(testApp.browser(), token, { password: 'wrong' }), 'failed')
      assert.equal(await login(testApp.browser(), token), 'entered')
      assert.equal(await login(testApp.browser(), token, { password: 'wrong' }), 'failed')
      assert.equal(await login(testApp.browser(), token), 'token refused')
      assert.equal(await login(testApp.browser(), newToken()), 'entered')
      testApp.wait(minutes(14))
      assert.equal(await login(testApp.browser(), token), 'token refused')
      testApp.wait(minutes(1))
      assert.equal(await login(testApp.browser(), token), 'entered')
    })

  test('the bot check does not show whether there is such an account', async () => {
    for (const email of [NOBODY, ADMIN_EMAIL]) {
      const outcomes: string[] = []
      for (let failure = 1; failure <= 4; failure++)
        outcomes.push(await login(testApp.browser(), PLACEHOLDER, { email, password: 'wrong' }))
      assert.deepEqual(outcomes, ['failed', 'failed', 'failed', 'token refused'])
    }
  })

  test('failures of an account are counted together, however its address is written', async () => {
    for (const email of [ADMIN_EMAIL, ADMIN_EMAIL.toUpperCase(), ` ${ADMIN_EMAIL}`])
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { email, password: 'wrong' }), 'failed')
    assert.equal(await login(testApp.browser(), PLACEHOLDER), 'token refused')
  })

  test('a real token is required after three failures from one network address, for any accounts (L11)', async () => {
    const browser = testApp.browser()
    for (const email of ['a@agency.test', 'b@agency.test', 'c@agency.test'])
      assert.equal(await login(browser, PLACEHOLDER, { email, password: 'wrong' }), 'failed')
    assert.equal(await login(browser, PLACEHOLDER), 'token refused')
    assert.equal(await login(browser, newToken()), 'entered')
    assert.equal(await login(testApp.browser(), PLACEHOLDER), 'entered')
  })

  test('no more than three concurrent guesses pass without a real token (L11)', async () => {
    const guesses = Array.from({ length: 20 }, () =>
      login(testApp.browser(), PLACEHOLDER, { email: NOBODY, password: 'wrong' }),
    )
    const outcomes = await Promise.all(guesses)
    assert.equal(outcomes.filter(outcome => outcome === 'failed').length, 3)
    assert.equal(outcomes.filter(outcome => outcome === 'token refused').length, 17)
  })

  test('a provider that is down or rejects the keys locks nobody out', async () => {
    for (let failure = 1; failure <= 3; failure++)
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { password: 'wrong' }), 'failed')
    google.behaviour = 503
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
    google.behaviour = 'answer'
    await settings.write('recaptcha_secret_key', 'a wrong one')
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
  })

  test('a known browser can sign in without Google while strangers guess (N9)', async () => {
    const { email } = await createStaff(testApp)
    const right = { email, password: STAFF_PASSWORD }
    const known = testApp.browser()
    assert.equal(await login(known, newToken(), right), 'entered')
    await known.call(signIn.verifyCode, { code: await readCode(testApp, email) })
    await known.call(signIn.logout, {})
    for (let failure = 1; failure <= 3; failure++)
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { email, password: 'wrong' }), 'failed')
    assert.equal(await login(testApp.browser(), PLACEHOLDER, right), 'token refused')
    assert.equal(await login(known, PLACEHOLDER, right), 'entered')
  })

  test('a sign-in needs no token when the check is off', async () => {
    for (let failure = 1; failure <= 3; failure++)
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { password: 'wrong' }), 'failed')
    await settings.write('recaptcha_enabled', 'false')
    assert.equal(await login(testApp.browser(), undefined), 'entered')
    assert.equal(await login(testApp.browser(), 'recaptcha_disabled'), 'entered')
  })
})

type Outcome = 'entered' | 'failed' | 'token refused'

async function login(
  browser: Browser,
  recaptchaToken: string | undefined,
  { email = ADMIN_EMAIL, password = ADMIN_PASSWORD } = {},
): Promise<Outcome> {
  try {
    await browser.call(signIn.login, { email, password, recaptchaToken })
    return 'entered'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    if (error.status === 401) return 'failed'
    assert.equal(error.status, 400)
    assert.deepEqual(error.errors, { recaptchaToken: 'Please complete the reCAPTCHA verification' })
    return 'token refused'
  }
}
