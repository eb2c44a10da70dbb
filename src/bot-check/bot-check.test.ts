import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBotCheck } from '../../tests/support/bot-check.ts'
import { SECRET_KEY } from '../../tests/support/recaptcha-server.ts'
import { ApiError } from '../http/api-client.ts'
import { replies } from '../i18n/texts.ts'

suite('Bot check', async () => {
  const { google, testApp, send, set } = await openBotCheck()

  suite('while it is off', () => {
    for (const token of [undefined, '', 'recaptcha_disabled', 'anything', 'x'.repeat(4096)])
      test(`the check accepts any token without a request while it is off (${token?.slice(0, 20)})`, async () => {
        await set({ recaptcha_enabled: 'false' })
        assert.equal(await send(token), 'off')
        assert.equal(google.asked.length, 0)
      })
  })

  test('a real token is verified with the secret and the address of the visitor (Q5)', async () => {
    assert.equal(await send('good-1', '198.51.100.7'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-1', remoteip: '198.51.100.7' }])
  })

  test('an address that is a network prefix is not passed on', async () => {
    assert.equal(await send('good-2', '2001:db8:1:2:3:4:5:6'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-2' }])
  })

  suite('rejections', () => {
    for (const token of [undefined, '', 'forged', 'recaptcha_', 'recaptcha_unheard_of_1', 'x'.repeat(4096)])
      test(`an enquiry with the token ${token?.slice(0, 25)} is rejected (Q3)`, async () => {
        await assertRejected(token)
      })

    test('a missing token is rejected without a request to the provider (Q3)', async () => {
      await assertRejected('')
      assert.equal(google.asked.length, 0)
    })

    test('a token that was used before is rejected (Q6)', async () => {
      assert.equal(await send('good-twice'), 'verified')
      await assertRejected('good-twice')
    })

    for (const hostname of ['evil.test', 'www.agency.test', undefined])
      test(`a token that was made on ${hostname} is rejected (Q5)`, async () => {
        Object.assign(google.facts, { hostname })
        await assertRejected(`good on ${hostname}`)
        google.facts = { hostname: hostname ?? '' }
        await set({ recaptcha_version: 'v2' })
        await assertRejected(`good on ${hostname}, v2`)
      })

    for (const action of ['login', '', undefined])
      test(`a v3 token that was made for the action "${action}" is rejected (Q5)`, async () => {
        Object.assign(google.facts, { action })
        await assertRejected(`good for ${action}`)
      })
  })

  suite('placeholders', () => {
    const reasons = {
      recaptcha_script_failed_1760000000000: 'script_failed',
      recaptcha_unavailable_1760000000000: 'unavailable',
      recaptcha_unavailable_nojs: 'unavailable_nojs',
      recaptcha_unavailable_nojs_1: 'unavailable',
      recaptcha_failed_after_retries_1760000000000: 'failed_after_retries',
      recaptcha_error_1760000000000: 'error',
      recaptcha_exception_1760000000000: 'exception',
      recaptcha_disabled: 'disabled',
    }
    for (const [token, reason] of Object.entries(reasons))
      test(`the placeholder ${token} marks the enquiry with its reason, without a request (Q4)`, async () => {
        assert.equal(await send(token), `unverified:${reason}`)
        assert.equal(google.asked.length, 0)
      })
  })

  suite('with v3', () => {
    for (const score of [0.5, 1])
      test(`a score of ${score} counts as a person (Q5)`, async () => {
        google.facts.score = score
        assert.equal(await send(`good ${score}`), 'verified')
      })

    for (const score of [0.49, 0.1, 0])
      test(`an enquiry with a score of ${score} is accepted and marked (Q5)`, async () => {
        google.facts.score = score
        assert.equal(await send(`good ${score}`), `suspect:${score}`)
      })

    test('a missing score counts as the lowest', async () => {
      google.facts = { hostname: 'agency.test', action: 'submit' }
      assert.equal(await send('good without a score'), 'suspect:0')
    })

    test('with keys for v2 a v3 enquiry is accepted and marked, and an error is logged', async () => {
      google.facts = { hostname: 'agency.test' }
      assert.equal(await send('good of v2'), 'unverified:misconfigured')
      assert.ok(testApp.console.some(line => line.includes('"level":"error"') && line.includes('not for v3')))
    })
  })

  test('a v2 token is verified whatever its action and score', async () => {
    await set({ recaptcha_version: 'v2' })
    google.facts = { hostname: 'agency.test' }
    assert.equal(await send('good v2 a'), 'verified')
    google.facts = { hostname: 'agency.test', action: 'other', score: 0.1 }
    assert.equal(await send('good v2 b'), 'verified')
  })

  suite('with wrong keys', () => {
    for (const secret of ['', 'not the secret key'])
      test(`with the wrong secret key "${secret}" no enquiry is lost, and an error is logged`, async () => {
        await set({ recaptcha_secret_key: secret })
        assert.equal(await send(`good with ${secret}`), 'unverified:misconfigured')
        assert.equal(google.asked.length, secret ? 1 : 0)
        assert.ok(
          testApp.console.some(
            line => line.includes('"level":"error"') && line.includes('rejected the keys'),
          ),
        )
        assert.ok(!testApp.console.join('').includes('not the secret key'))
      })
  })

  suite('error codes', () => {
    for (const errors of [[], ['bad-request'], ['invalid-input-response', 'invalid-input-secret']])
      test(`a visitor is not rejected for the error codes "${errors}"`, async () => {
        google.errors = errors
        assert.equal(await send('good'), 'unverified:misconfigured')
      })

    for (const error of ['timeout-or-duplicate', 'invalid-input-response', 'missing-input-response'])
      test(`a visitor is rejected for the error code ${error} (Q5)`, async () => {
        google.errors = [error]
        await assertRejected('good')
      })
  })

  async function assertRejected(recaptchaToken: string | undefined) {
    const before = await count()
    const refusal = await send(recaptchaToken).catch((error: unknown) => error)
    assert.ok(refusal instanceof ApiError)
    assert.equal(refusal.status, 400)
    assert.equal(refusal.message, replies.recaptchaToken)
    assert.deepEqual(refusal.errors, { recaptchaToken: 'Please complete the reCAPTCHA verification' })
    assert.equal(await count(), before)
  }

  async function count(): Promise<number> {
    return (await testApp.services.db.selectFrom('messages').select('id').execute()).length
  }
})
