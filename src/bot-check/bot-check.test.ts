import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { openRecaptchaServer, SECRET_KEY } from '../../tests/support/recaptcha-server.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { openTestAppWithCaptcha, visitor } from '../../tests/support/test-app-with-captcha.ts'
import { minutes } from '../clock.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { ApiError } from '../http/api-client.ts'
import { TOKEN_MESSAGE } from './token.ts'

const v3 = { hostname: 'agency.test', action: 'submit', score: 0.9 }

suite('The bot check', async () => {
  const { google, testApp, send, set } = await openTestAppWithCaptcha()
  let tests = 0

  beforeEach(async () => {
    Object.assign(google, { behaviour: 'answer', facts: { ...v3 }, errors: null })
    google.asked.length = 0
    await set({ recaptcha_enabled: 'true', recaptcha_secret_key: SECRET_KEY, recaptcha_version: 'v3' })
    // Whatever failed in the test before is forgotten.
    testApp.wait(minutes(1))
    await send(`good, after test ${++tests}`)
    google.asked.length = 0
  })

  suite('while it is off', () => {
    for (const token of [undefined, '', 'recaptcha_disabled', 'anything', 'x'.repeat(4096)])
      test(`asks nothing and doubts nobody (${token?.slice(0, 20)})`, async () => {
        await set({ recaptcha_enabled: 'false' })
        assert.equal(await send(token), 'off')
        assert.equal(google.asked.length, 0)
      })
  })

  test('verifies a real token with the secret and the address of the visitor (Q5)', async () => {
    assert.equal(await send('good-1', '198.51.100.7'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-1', remoteip: '198.51.100.7' }])
  })

  test('does not pass on an address that stands for a network', async () => {
    assert.equal(await send('good-2', '2001:db8:1:2:3:4:5:6'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-2' }])
  })

  suite('refuses', () => {
    for (const token of [undefined, '', 'forged', 'recaptcha_', 'recaptcha_unheard_of_1', 'x'.repeat(4096)])
      test(`an enquiry with the token ${token?.slice(0, 25)} (Q3)`, async () => {
        await refusedOf(token)
      })

    test('a missing token without asking the provider (Q3)', async () => {
      await refusedOf('')
      assert.equal(google.asked.length, 0)
    })

    test('a token that was used before (Q6)', async () => {
      assert.equal(await send('good-twice'), 'verified')
      await refusedOf('good-twice')
    })

    for (const hostname of ['evil.test', 'www.agency.test', undefined])
      test(`a token that was made on ${hostname} (Q5)`, async () => {
        Object.assign(google.facts, { hostname })
        await refusedOf(`good on ${hostname}`)
        google.facts = { hostname: hostname ?? '' }
        await set({ recaptcha_version: 'v2' })
        await refusedOf(`good on ${hostname}, v2`)
      })

    for (const action of ['login', '', undefined])
      test(`a v3 token that was made for the action "${action}" (Q5)`, async () => {
        Object.assign(google.facts, { action })
        await refusedOf(`good for ${action}`)
      })
  })

  suite('marks a token that a form could not get with its reason, unasked:', () => {
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
      test(`${token} (Q4)`, async () => {
        assert.equal(await send(token), `unverified:${reason}`)
        assert.equal(google.asked.length, 0)
      })
  })

  suite('with v3', () => {
    for (const score of [0.5, 1])
      test(`takes a score of ${score} for a person (Q5)`, async () => {
        google.facts.score = score
        assert.equal(await send(`good ${score}`), 'verified')
      })

    for (const score of [0.49, 0.1, 0])
      test(`keeps an enquiry with a score of ${score}, marked (Q5)`, async () => {
        google.facts.score = score
        assert.equal(await send(`good ${score}`), `suspect:${score}`)
      })

    test('takes a missing score for the lowest', async () => {
      google.facts = { hostname: 'agency.test', action: 'submit' }
      assert.equal(await send('good without a score'), 'suspect:0')
    })

    test('keeps an enquiry, marked, when the keys turn out to be of v2, and says so in the log', async () => {
      google.facts = { hostname: 'agency.test' }
      assert.equal(await send('good of v2'), 'unverified:misconfigured')
      assert.ok(testApp.console.some(line => line.includes('"level":"error"') && line.includes('not of v3')))
    })
  })

  test('with v2 looks at no action and no score', async () => {
    await set({ recaptcha_version: 'v2' })
    google.facts = { hostname: 'agency.test' }
    assert.equal(await send('good v2 a'), 'verified')
    google.facts = { hostname: 'agency.test', action: 'other', score: 0.1 }
    assert.equal(await send('good v2 b'), 'verified')
  })

  suite('that is set up wrongly loses no enquiry and says so in the log:', () => {
    for (const secret of ['', 'not the secret key'])
      test(`secret key "${secret}"`, async () => {
        await set({ recaptcha_secret_key: secret })
        assert.equal(await send(`good with ${secret}`), 'unverified:misconfigured')
        assert.equal(google.asked.length, secret ? 1 : 0)
        assert.ok(
          testApp.console.some(line => line.includes('"level":"error"') && line.includes('refuses to work')),
        )
        assert.ok(!testApp.console.join('').includes('not the secret key'))
      })
  })

  suite('blames a visitor only for what the provider blames on the token:', () => {
    for (const errors of [[], ['bad-request'], ['invalid-input-response', 'invalid-input-secret']])
      test(`not for "${errors}"`, async () => {
        google.errors = errors
        assert.equal(await send('good'), 'unverified:misconfigured')
      })

    for (const error of ['timeout-or-duplicate', 'invalid-input-response', 'missing-input-response'])
      test(`but for ${error} (Q5)`, async () => {
        google.errors = [error]
        await refusedOf('good')
      })
  })

  suite('whose provider is down loses no enquiry:', () => {
    for (const behaviour of ['garbage', 429, 500, 503] as const)
      test(`it answers ${behaviour} (Q5)`, async () => {
        google.behaviour = behaviour
        assert.equal(await send(`good while ${behaviour}`), 'unverified:provider_down')
      })

    test('it sends on to another address, which the secret does not follow', async () => {
      google.behaviour = 307
      assert.equal(await send('good, sent on'), 'unverified:provider_down')
      assert.equal(google.asked.length, 1)
    })

    test('it does not answer: the visitor waits three seconds, not four (Q5)', async () => {
      google.behaviour = 'hold'
      const start = performance.now()
      assert.equal(await send('good but slow'), 'unverified:provider_down')
      const waited = performance.now() - start
      assert.ok(waited > 2900 && waited < 4000, `${waited} ms`)
      google.release()
    })

    test('it refuses the connection (Q5)', async () => {
      const closed = await openRecaptchaServer('agency.test')
      await closed.close()
      const other = await openTestApp({ recaptchaVerifyUrl: closed.url })
      await other.services.settings.write('recaptcha_enabled', 'true')
      await other.services.settings.write('recaptcha_secret_key', SECRET_KEY)
      await other.browser().call(enquiries.contact, { ...visitor, recaptchaToken: 'good' })
      assert.equal(await newest(other), 'unverified:provider_down')
    })
  })

  async function refusedOf(recaptchaToken: string | undefined) {
    const before = await count()
    const refusal = await send(recaptchaToken).catch((error: unknown) => error)
    assert.ok(refusal instanceof ApiError)
    assert.equal(refusal.status, 400)
    assert.equal(refusal.message, TOKEN_MESSAGE)
    assert.deepEqual(refusal.errors, { recaptchaToken: 'Please complete the reCAPTCHA verification' })
    assert.equal(await count(), before)
  }

  async function count(): Promise<number> {
    return (await testApp.services.db.selectFrom('messages').select('id').execute()).length
  }

  async function newest({ services }: typeof testApp): Promise<string | undefined> {
    const query = services.db.selectFrom('messages').select('verification').orderBy('id', 'desc')
    return (await query.executeTakeFirst())?.verification
  }
})
