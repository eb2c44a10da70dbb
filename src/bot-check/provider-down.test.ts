import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBotCheck } from '../../tests/support/bot-check.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { openRecaptchaServer, SECRET_KEY } from '../../tests/support/recaptcha-server.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'

suite('Bot check while the provider is down', async () => {
  const { google, testApp, send } = await openBotCheck()

  for (const behaviour of ['garbage', 429, 500, 503] as const)
    test(`no enquiry is lost when the provider answers ${behaviour} (Q5)`, async () => {
      google.behaviour = behaviour
      assert.equal(await send(`good while ${behaviour}`), 'unverified:provider_down')
    })

  test('the secret does not follow a redirect of the provider to another address', async () => {
    google.behaviour = 307
    assert.equal(await send('good, sent on'), 'unverified:provider_down')
    assert.equal(google.asked.length, 1)
  })

  test('a visitor waits three seconds, not four, for a provider that does not answer (Q5)', async () => {
    google.behaviour = 'hold'
    const watch = stopwatch()
    assert.equal(await send('good but slow'), 'unverified:provider_down')
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.ok(took > 2900 && tookAtRest < 4000, `${took} ms`)
    google.release()
  })

  test('no enquiry is lost when the provider refuses the connection (Q5)', async () => {
    const closed = await openRecaptchaServer('agency.test')
    await closed.close()
    const other = await openTestApp({ recaptchaVerifyUrl: closed.url })
    await other.services.settings.write('recaptcha_enabled', 'true')
    await other.services.settings.write('recaptcha_secret_key', SECRET_KEY)
    await other.browser().call(enquiries.contact, { ...visitor, recaptchaToken: 'good' })
    assert.equal(await newest(other), 'unverified:provider_down')
  })

  async function newest({ services }: typeof testApp): Promise<string | undefined> {
    const query = services.db.selectFrom('messages').select('verification').orderBy('id', 'desc')
    return (await query.executeTakeFirst())?.verification
  }
})
