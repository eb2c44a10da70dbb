import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'

suite('Configuration of the bot check', () => {
  test('the defaults are the public address and the test key of Google', () => {
    const { recaptchaVerifyUrl, recaptchaSiteKey } = readConfig({})
    assert.equal(recaptchaVerifyUrl, 'https://www.google.com/recaptcha/api/siteverify')
    assert.equal(recaptchaSiteKey, '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI')
  })

  test('the environment may set another server and another site key', () => {
    const config = readConfig({
      RECAPTCHA_VERIFY_URL: 'http://127.0.0.1:4000/verify',
      RECAPTCHA_SITE_KEY: ' a-site-key-of-our-own ',
    })
    assert.equal(config.recaptchaVerifyUrl, 'http://127.0.0.1:4000/verify')
    assert.equal(config.recaptchaSiteKey, 'a-site-key-of-our-own')
  })

  for (const RECAPTCHA_VERIFY_URL of ['google', 'ftp://www.google.com/', 'javascript:alert(1)'])
    test(`${RECAPTCHA_VERIFY_URL} is rejected as RECAPTCHA_VERIFY_URL`, () => {
      assert.throws(
        () => readConfig({ RECAPTCHA_VERIFY_URL }),
        isConfigError(/^RECAPTCHA_VERIFY_URL takes .*http/),
      )
    })

  for (const RECAPTCHA_SITE_KEY of [
    'short',
    'a site key with spaces in it',
    `${'<'.repeat(40)}`,
    'k'.repeat(101),
  ])
    test(`${RECAPTCHA_SITE_KEY.slice(0, 30)} is rejected as RECAPTCHA_SITE_KEY`, () => {
      assert.throws(
        () => readConfig({ RECAPTCHA_SITE_KEY }),
        isConfigError(/^RECAPTCHA_SITE_KEY takes a site key/),
      )
    })
})

function isConfigError(message: RegExp) {
  return (error: unknown) => error instanceof ConfigError && message.test(error.message)
}
