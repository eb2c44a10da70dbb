import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'

suite('The environment', () => {
  test("has Google's public address and test key unless it says otherwise", () => {
    const { recaptchaVerifyUrl, recaptchaSiteKey } = readConfig({})
    assert.equal(recaptchaVerifyUrl, 'https://www.google.com/recaptcha/api/siteverify')
    assert.equal(recaptchaSiteKey, '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI')
  })

  test('may name another server and another key', () => {
    const config = readConfig({
      RECAPTCHA_VERIFY_URL: 'http://127.0.0.1:4000/verify',
      RECAPTCHA_SITE_KEY: ' a-site-key-of-our-own ',
    })
    assert.equal(config.recaptchaVerifyUrl, 'http://127.0.0.1:4000/verify')
    assert.equal(config.recaptchaSiteKey, 'a-site-key-of-our-own')
  })

  for (const RECAPTCHA_VERIFY_URL of ['google', 'ftp://www.google.com/', 'javascript:alert(1)'])
    test(`cannot have ${RECAPTCHA_VERIFY_URL} for the server`, () => {
      assert.throws(
        () => readConfig({ RECAPTCHA_VERIFY_URL }),
        refusalOf(/^RECAPTCHA_VERIFY_URL takes .*http/),
      )
    })

  for (const RECAPTCHA_SITE_KEY of [
    'short',
    'a site key with spaces in it',
    `${'<'.repeat(40)}`,
    'k'.repeat(101),
  ])
    test(`cannot have ${RECAPTCHA_SITE_KEY.slice(0, 30)} for the site key`, () => {
      assert.throws(
        () => readConfig({ RECAPTCHA_SITE_KEY }),
        refusalOf(/^RECAPTCHA_SITE_KEY takes a site key/),
      )
    })
})

function refusalOf(message: RegExp) {
  return (error: unknown) => error instanceof ConfigError && message.test(error.message)
}
