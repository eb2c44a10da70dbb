import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { SECRET_KEY } from '../../../tests/support/recaptcha-server.ts'
import { createStaff, readCode, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../../tests/support/test-app.ts'
import { openTestAppWithCaptcha, PLACEHOLDER } from '../../../tests/support/test-app-with-captcha.ts'
import { hours, minutes } from '../../clock.ts'
import { ApiError } from '../../http/api-client.ts'
import { signIn } from './contract.ts'

const NOBODY = 'nobody@agency.test'

suite('Signing in while the bot check is on', async () => {
  const { google, testApp, newToken } = await openTestAppWithCaptcha()
  const { settings } = testApp.services

  beforeEach(async () => {
    // What failed in the test before is forgotten, no account rests, and each may have its codes.
    testApp.wait(hours(1))
    google.behaviour = 'answer'
    await settings.write('recaptcha_enabled', 'true')
    await settings.write('recaptcha_secret_key', SECRET_KEY)
  })

  test('takes a real token and the password', async () => {
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
  })

  for (const token of [undefined, '', 'forged'])
    test(`is refused with the token "${token}", whatever the password`, async () => {
      assert.equal(await login(testApp.browser(), token), 'token refused')
      assert.equal(await login(testApp.browser(), token, { password: 'wrong' }), 'token refused')
    })

  for (const token of [PLACEHOLDER, 'recaptcha_disabled', 'recaptcha_unavailable_nojs'])
    test(`is possible with ${token} until an account has failed three times (L11)`, async () => {
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

  test('does not show whether there is such an account', async () => {
    for (const email of [NOBODY, ADMIN_EMAIL]) {
      const answers: string[] = []
      for (let failure = 1; failure <= 4; failure++)
        answers.push(await login(testApp.browser(), PLACEHOLDER, { email, password: 'wrong' }))
      assert.deepEqual(answers, ['failed', 'failed', 'failed', 'token refused'])
    }
  })

  test('counts an account as one however its address is written', async () => {
    for (const email of [ADMIN_EMAIL, ADMIN_EMAIL.toUpperCase(), ` ${ADMIN_EMAIL}`])
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { email, password: 'wrong' }), 'failed')
    assert.equal(await login(testApp.browser(), PLACEHOLDER), 'token refused')
  })

  test('wants a real token after three failures from one address, of whatever accounts (L11)', async () => {
    const browser = testApp.browser()
    for (const email of ['a@agency.test', 'b@agency.test', 'c@agency.test'])
      assert.equal(await login(browser, PLACEHOLDER, { email, password: 'wrong' }), 'failed')
    assert.equal(await login(browser, PLACEHOLDER), 'token refused')
    assert.equal(await login(browser, newToken()), 'entered')
    assert.equal(await login(testApp.browser(), PLACEHOLDER), 'entered')
  })

  test('lets no more than three of many guesses at once pass without a real token (L11)', async () => {
    const guesses = Array.from({ length: 20 }, () =>
      login(testApp.browser(), PLACEHOLDER, { email: NOBODY, password: 'wrong' }),
    )
    const answers = await Promise.all(guesses)
    assert.equal(answers.filter(answer => answer === 'failed').length, 3)
    assert.equal(answers.filter(answer => answer === 'token refused').length, 17)
  })

  test('is not closed to anyone by a provider that is down or refuses the keys', async () => {
    for (let failure = 1; failure <= 3; failure++)
      assert.equal(await login(testApp.browser(), PLACEHOLDER, { password: 'wrong' }), 'failed')
    google.behaviour = 503
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
    google.behaviour = 'answer'
    await settings.write('recaptcha_secret_key', 'a wrong one')
    assert.equal(await login(testApp.browser(), newToken()), 'entered')
  })

  test('is possible in a known browser without Google while strangers guess (N9)', async () => {
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

  test('needs no token once the check is off', async () => {
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
