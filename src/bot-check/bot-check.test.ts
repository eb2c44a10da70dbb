import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { minutes, seconds } from '../clock.ts'
import { enquiries } from '../features/enquiries/contract.ts'
import type { SettingValues } from '../features/settings/contract.ts'
import { CallFailed } from '../http/call.ts'
import { openGuardedOffice, until, visitor } from '../testing/guarded-office.ts'
import { openOffice } from '../testing/office.ts'
import { openRecaptchaServer, SECRET_KEY } from '../testing/recaptcha-server.ts'
import { botCheck } from './contract.ts'
import { TOKEN_MESSAGE } from './token.ts'

const v3 = { hostname: 'agency.test', action: 'submit', score: 0.9 }

suite('The bot check', async () => {
  const { google, office } = await openGuardedOffice()
  const { settings } = office.services
  let tests = 0

  beforeEach(async () => {
    Object.assign(google, { behaviour: 'answer', facts: { ...v3 }, errors: null })
    google.asked.length = 0
    await set({ recaptcha_enabled: 'true', recaptcha_secret_key: SECRET_KEY, recaptcha_version: 'v3' })
    // Whatever failed in the test before is forgotten.
    office.wait(minutes(1))
    await send(`good, after test ${++tests}`)
    google.asked.length = 0
  })

  suite('while it is off', () => {
    for (const token of [undefined, '', 'recaptcha_disabled', 'anything', 'x'.repeat(20_000)])
      test(`asks nothing and doubts nobody (${token?.slice(0, 20)})`, async () => {
        await set({ recaptcha_enabled: 'false' })
        assert.equal(await send(token), 'off')
        assert.equal(google.asked.length, 0)
      })
  })

  test('verifies a real token with the secret and the address of the visitor', async () => {
    assert.equal(await send('good-1', '198.51.100.7'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-1', remoteip: '198.51.100.7' }])
  })

  test('does not pass on an address that stands for a network', async () => {
    assert.equal(await send('good-2', '2001:db8:1:2:3:4:5:6'), 'verified')
    assert.deepEqual(google.asked, [{ secret: SECRET_KEY, response: 'good-2' }])
  })

  suite('refuses', () => {
    for (const token of [undefined, '', 'forged', 'recaptcha_', 'recaptcha_unheard_of_1', 'x'.repeat(20_000)])
      test(`an enquiry with the token ${token?.slice(0, 25)}`, async () => {
        await refusedOf(token)
      })

    test('a missing token without asking the provider', async () => {
      await refusedOf('')
      assert.equal(google.asked.length, 0)
    })

    test('a token that was used before', async () => {
      assert.equal(await send('good-twice'), 'verified')
      await refusedOf('good-twice')
    })

    for (const hostname of ['evil.test', 'www.agency.test', undefined])
      test(`a token that was made on ${hostname}`, async () => {
        Object.assign(google.facts, { hostname })
        await refusedOf(`good on ${hostname}`)
        google.facts = { hostname: hostname ?? '' }
        await set({ recaptcha_version: 'v2' })
        await refusedOf(`good on ${hostname}, v2`)
      })

    for (const action of ['login', '', undefined])
      test(`a v3 token that was made for the action "${action}"`, async () => {
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
      test(token, async () => {
        assert.equal(await send(token), `unverified:${reason}`)
        assert.equal(google.asked.length, 0)
      })
  })

  suite('with v3', () => {
    for (const score of [0.5, 1])
      test(`takes a score of ${score} for a person`, async () => {
        google.facts.score = score
        assert.equal(await send(`good ${score}`), 'verified')
      })

    for (const score of [0.49, 0.1, 0])
      test(`keeps an enquiry with a score of ${score}, marked`, async () => {
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
      assert.ok(office.console.some(line => line.includes('"level":"error"') && line.includes('not of v3')))
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
          office.console.some(line => line.includes('"level":"error"') && line.includes('refuses to work')),
        )
        assert.ok(!office.console.join('').includes('not the secret key'))
      })
  })

  suite('blames a visitor only for what the provider blames on the token:', () => {
    for (const errors of [[], ['bad-request'], ['invalid-input-response', 'invalid-input-secret']])
      test(`not for "${errors}"`, async () => {
        google.errors = errors
        assert.equal(await send('good'), 'unverified:misconfigured')
      })

    for (const error of ['timeout-or-duplicate', 'invalid-input-response', 'missing-input-response'])
      test(`but for ${error}`, async () => {
        google.errors = [error]
        await refusedOf('good')
      })
  })

  suite('whose provider is down loses no enquiry:', () => {
    for (const behaviour of ['garbage', 429, 500, 503] as const)
      test(`it answers ${behaviour}`, async () => {
        google.behaviour = behaviour
        assert.equal(await send(`good while ${behaviour}`), 'unverified:provider_down')
      })

    test('it sends on to another address, which the secret does not follow', async () => {
      google.behaviour = 307
      assert.equal(await send('good, sent on'), 'unverified:provider_down')
      assert.equal(google.asked.length, 1)
    })

    test('it does not answer: the visitor waits three seconds, not four', async () => {
      google.behaviour = 'hold'
      const start = performance.now()
      assert.equal(await send('good but slow'), 'unverified:provider_down')
      const waited = performance.now() - start
      assert.ok(waited > 2900 && waited < 4000, `${waited} ms`)
      google.release()
    })

    test('it refuses the connection', async () => {
      const closed = await openRecaptchaServer('agency.test')
      await closed.close()
      const other = await openOffice({ recaptchaVerifyUrl: closed.url })
      await other.services.settings.write('recaptcha_enabled', 'true')
      await other.services.settings.write('recaptcha_secret_key', SECRET_KEY)
      await other.browser().call(enquiries.contact, { ...visitor, recaptchaToken: 'good' })
      assert.equal(await newest(other), 'unverified:provider_down')
    })
  })

  suite('leaves a provider alone that has failed five times in a row', () => {
    test('for thirty seconds, then lets one enquiry try, then all', async () => {
      google.behaviour = 500
      for (let failure = 1; failure <= 5; failure++) await send(`good ${failure}`)
      assert.equal(google.asked.length, 5)
      google.behaviour = 'answer'
      assert.equal(await send('good, not asked'), 'unverified:provider_down')
      office.wait(seconds(25))
      assert.equal(await send('good, still not asked'), 'unverified:provider_down')
      assert.equal(google.asked.length, 5)
      office.wait(seconds(5))
      google.behaviour = 'hold'
      const trial = send('good, a trial')
      await until(() => google.asked.length === 6)
      assert.equal(await send('good, beside the trial'), 'unverified:provider_down')
      assert.equal(google.asked.length, 6)
      google.behaviour = 'answer'
      google.release()
      assert.equal(await trial, 'verified')
      assert.equal(await send('good, after the trial'), 'verified')
    })

    test('and once more when the trial fails too', async () => {
      google.behaviour = 500
      for (let failure = 1; failure <= 5; failure++) await send(`good again ${failure}`)
      office.wait(seconds(30))
      await send('good, a failed trial')
      assert.equal(google.asked.length, 6)
      google.behaviour = 'answer'
      office.wait(seconds(25))
      assert.equal(await send('good, too early'), 'unverified:provider_down')
      office.wait(seconds(5))
      assert.equal(await send('good, in time'), 'verified')
    })

    test('but not after four, nor when a success came between', async () => {
      google.behaviour = 500
      for (let failure = 1; failure <= 4; failure++) await send(`good thus ${failure}`)
      google.behaviour = 'answer'
      assert.equal(await send('good, the fifth'), 'verified')
      google.behaviour = 500
      for (let failure = 1; failure <= 4; failure++) await send(`good so ${failure}`)
      google.behaviour = 'answer'
      assert.equal(await send('good, the tenth'), 'verified')
    })

    test('but not one that refuses tokens or keys: it works', async () => {
      for (let refusal = 1; refusal <= 6; refusal++) await refusedOf('forged')
      assert.equal(google.asked.length, 6)
    })

    test('and no longer than that when the clock is set back meanwhile', async () => {
      google.behaviour = 500
      for (let failure = 1; failure <= 5; failure++) await send(`good back ${failure}`)
      google.behaviour = 'answer'
      office.wait(-minutes(10))
      assert.equal(await send('good, yesterday'), 'verified')
      office.wait(minutes(10))
    })
  })

  suite('tells forms', () => {
    test('the site key, whether it is on, and its version, but never the secret', async () => {
      await set({ recaptcha_site_key: 'a-key-of-our-own', recaptcha_version: 'auto' })
      const response = await office.browser().fetch('/api/public/recaptcha')
      const text = await response.text()
      assert.deepEqual(JSON.parse(text), {
        success: true,
        recaptcha: { siteKey: 'a-key-of-our-own', enabled: true, version: 'v2' },
      })
      assert.ok(!text.includes(SECRET_KEY))
      assert.equal(response.headers.get('cache-control'), 'public, max-age=60')
      assert.equal(response.headers.get('set-cookie'), null)
    })

    test('the built-in site key while the settings have none', async () => {
      await set({ recaptcha_site_key: '', recaptcha_enabled: 'false', recaptcha_version: 'auto' })
      const { recaptcha } = await office.browser().call(botCheck.read, {})
      const siteKey = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'
      assert.deepEqual(recaptcha, { siteKey, enabled: false, version: 'v3' })
    })

    test('the version by the length of the site key, unless an admin knows better', async () => {
      const cases = [
        [38, 'auto', 'v2'],
        [39, 'auto', 'v3'],
        [40, 'v2', 'v2'],
        [20, 'v3', 'v3'],
      ] as const
      for (const [length, setting, version] of cases) {
        await set({ recaptcha_site_key: 'k'.repeat(length), recaptcha_version: setting })
        assert.equal((await office.browser().call(botCheck.read, {})).recaptcha.version, version)
      }
    })

    test('nothing new as long as nothing has changed', async () => {
      const browser = office.browser()
      const etag = (await browser.fetch('/api/public/recaptcha')).headers.get('etag')
      assert.match(etag ?? '', /^"[^"]+"$/)
      const headers = { 'if-none-match': etag }
      const unchanged = await browser.fetch('/api/public/recaptcha', { headers })
      assert.equal(unchanged.status, 304)
      assert.equal(await unchanged.text(), '')
      assert.equal(unchanged.headers.get('etag'), etag)
      assert.equal(unchanged.headers.get('cache-control'), 'public, max-age=60')
      await set({ recaptcha_enabled: 'false' })
      const changed = await browser.fetch('/api/public/recaptcha', { headers })
      assert.equal(changed.status, 200)
      assert.notEqual(changed.headers.get('etag'), etag)
    })
  })

  async function set(values: Partial<SettingValues>) {
    const { recaptcha_enabled, recaptcha_secret_key, recaptcha_site_key, recaptcha_version } = values
    if (recaptcha_enabled !== undefined) await settings.write('recaptcha_enabled', recaptcha_enabled)
    if (recaptcha_secret_key !== undefined) await settings.write('recaptcha_secret_key', recaptcha_secret_key)
    if (recaptcha_site_key !== undefined) await settings.write('recaptcha_site_key', recaptcha_site_key)
    if (recaptcha_version !== undefined) await settings.write('recaptcha_version', recaptcha_version)
  }

  /** Sends an enquiry from an address of its own. @returns how it was marked. */
  async function send(recaptchaToken: string | undefined, address?: string): Promise<string> {
    const { reference } = await office
      .browser(address)
      .call(enquiries.contact, { ...visitor, recaptchaToken })
    return await markOf(reference)
  }

  async function refusedOf(recaptchaToken: string | undefined) {
    const before = await count()
    const refusal = await send(recaptchaToken).catch((error: unknown) => error)
    assert.ok(refusal instanceof CallFailed)
    assert.equal(refusal.status, 400)
    assert.equal(refusal.message, TOKEN_MESSAGE)
    assert.deepEqual(refusal.errors, { recaptchaToken: 'Please complete the reCAPTCHA verification' })
    assert.equal(await count(), before)
  }

  async function markOf(reference: string): Promise<string> {
    const query = office.services.db.selectFrom('messages').select('verification')
    const { verification } = await query.where('reference', '=', reference).executeTakeFirstOrThrow()
    return verification
  }

  async function count(): Promise<number> {
    return (await office.services.db.selectFrom('messages').select('id').execute()).length
  }

  async function newest({ services }: typeof office): Promise<string | undefined> {
    const query = services.db.selectFrom('messages').select('verification').orderBy('id', 'desc')
    return (await query.executeTakeFirst())?.verification
  }
})
