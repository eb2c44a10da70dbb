import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SECRET_KEY } from '../../tests/support/recaptcha-server.ts'
import { openTestAppWithCaptcha } from '../../tests/support/test-app-with-captcha.ts'
import { botCheck } from './contract.ts'

suite('Bot-check settings for forms', async () => {
  const { testApp, set } = await openTestAppWithCaptcha()

  test('a form gets the site key, whether the check is on, and its version, but never the secret (P1, S2)', async () => {
    await set({ recaptcha_site_key: 'a-key-of-our-own', recaptcha_version: 'auto' })
    const response = await testApp.browser().fetch('/api/public/recaptcha')
    const text = await response.text()
    assert.deepEqual(JSON.parse(text), {
      success: true,
      recaptcha: { siteKey: 'a-key-of-our-own', enabled: true, version: 'v2' },
    })
    assert.ok(!text.includes(SECRET_KEY))
    assert.equal(response.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(response.headers.get('set-cookie'), null)
  })

  test('a form gets the built-in site key while the settings have none', async () => {
    await set({ recaptcha_site_key: '', recaptcha_enabled: 'false', recaptcha_version: 'auto' })
    const { recaptcha } = await testApp.browser().call(botCheck.read, {})
    const siteKey = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'
    assert.deepEqual(recaptcha, { siteKey, enabled: false, version: 'v3' })
  })

  test('the version follows the length of the site key, unless an admin has set it', async () => {
    const cases = [
      [38, 'auto', 'v2'],
      [39, 'auto', 'v3'],
      [40, 'v2', 'v2'],
      [20, 'v3', 'v3'],
    ] as const
    for (const [length, setting, version] of cases) {
      await set({ recaptcha_site_key: 'k'.repeat(length), recaptcha_version: setting })
      assert.equal((await testApp.browser().call(botCheck.read, {})).recaptcha.version, version)
    }
  })

  test('unchanged settings are answered with 304 (P1)', async () => {
    await set({ recaptcha_enabled: 'true' })
    const browser = testApp.browser()
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
