import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSite } from '../../tests/support/site.ts'
import { openTestAppWithCaptcha, visitor } from '../../tests/support/test-app-with-captcha.ts'
import { replies } from '../i18n/texts.ts'

/** One more than 4096 bytes. */
const TOO_LONG = ['x'.repeat(4097), `recaptcha_disabled${'x'.repeat(4079)}`, '\u00e9'.repeat(2049)]

suite('Size of bot-check tokens', async () => {
  const { google, testApp, set } = await openTestAppWithCaptcha()
  const { db } = testApp.services
  const site = await openSite(testApp)
  const countStored = async () => (await db.selectFrom('messages').select('id').execute()).length

  for (const enabled of ['true', 'false'] as const)
    test(`a token of more than 4 KB is rejected by every call while the check is ${enabled === 'true' ? 'on' : 'off'} (B3)`, async () => {
      await set({ recaptcha_enabled: enabled })
      google.asked.length = 0
      const before = await countStored()
      for (const recaptchaToken of TOO_LONG) {
        const login = { email: 'somebody@agency.test', password: 'Not-The-Right-One-1!', recaptchaToken }
        for (const [path, body] of [
          ['/api/contact', { ...visitor, recaptchaToken }],
          ['/api/visa-assessment', { ...visitor, recaptchaToken }],
          ['/api/track-application', { ...visitor, recaptchaToken }],
          ['/api/auth/login', login],
        ] as const) {
          const reply = await testApp.browser().send('POST', path, body)
          assert.equal(reply.status, 400, path)
          const { message, errors } = await reply.json()
          assert.deepEqual(
            [message, errors],
            [replies.recaptchaToken, { recaptchaToken: replies.recaptchaToken }],
          )
        }
      }
      assert.deepEqual(google.asked, [])
      assert.equal(await countStored(), before)
    })

  test('a token of more than 4 KB is rejected in a form sent without JavaScript (B3)', async () => {
    await set({ recaptcha_enabled: 'true' })
    google.asked.length = 0
    const before = await countStored()
    const post = async (recaptchaToken: string) =>
      await fetch(`${site.url}/contact`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://agency.test' },
        body: new URLSearchParams({ ...visitor, formType: 'contact', recaptchaToken }),
      })
    for (const token of TOO_LONG) {
      const refused = await post(token)
      assert.equal(refused.status, 400)
      assert.ok((await refused.text()).includes(replies.recaptchaToken))
    }
    assert.deepEqual(google.asked, [])
    assert.equal(await countStored(), before)
    assert.equal((await post('recaptcha_unavailable_nojs')).status, 303)
  })

  test('a token of exactly 4 KB is sent to the provider (B3)', async () => {
    await set({ recaptcha_enabled: 'true' })
    const recaptchaToken = `good-${'x'.repeat(4091)}`
    const reply = await testApp.browser().send('POST', '/api/contact', { ...visitor, recaptchaToken })
    assert.equal(reply.status, 201)
  })
})
