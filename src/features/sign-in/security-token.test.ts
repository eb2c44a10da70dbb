import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, readCode, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'
import { signIn } from './contract.ts'

suite('Security token', async () => {
  const testApp = await openTestApp()

  const tokenOf = async (browser: Browser) => (await browser.call(signIn.csrfToken, {})).csrfToken
  const logoutWith = async (browser: Browser, token: string) =>
    await browser.fetch('/api/auth/logout', { method: 'POST', headers: { 'x-csrf-token': token } })

  test('anyone can get a security token, which is bound to a cookie and never cached (C1)', async () => {
    const reply = await testApp.browser().fetch('/api/csrf-token')
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    const { success, csrfToken, ...rest } = await reply.json()
    assert.deepEqual([success, rest], [true, {}])
    assert.match(csrfToken, /^[\w-]+\.[\w-]+$/)
    const [cookie = ''] = reply.headers.getSetCookie()
    assert.match(cookie, /^__Host-anonymous=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax$/)
  })

  test('a browser that requests another security token keeps its binding cookie', async () => {
    const browser = testApp.browser()
    const first = await tokenOf(browser)
    const binding = browser.cookies.get('__Host-anonymous')
    await tokenOf(browser)
    assert.equal(browser.cookies.get('__Host-anonymous'), binding)
    assert.equal((await logoutWith(browser, first)).status, 200)
  })

  test('a security token is not valid in another browser or session (C2)', async () => {
    const [one, other] = [testApp.browser(), testApp.browser()]
    const [token] = [await tokenOf(one), await tokenOf(other)]
    assert.equal((await logoutWith(other, token)).status, 403)
    const { email } = await createStaff(testApp)
    const [here, there] = [await signInByHand(testApp, email), await signInByHand(testApp, email)]
    assert.notEqual(await tokenOf(here), await tokenOf(there))
    assert.equal((await logoutWith(there, await tokenOf(here))).status, 403)
    assert.equal((await logoutWith(here, await tokenOf(here))).status, 200)
  })

  test('each step of a sign-in voids the security token, and the browser fetches another (C3)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    const before = await tokenOf(browser)
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    assert.equal((await logoutWith(browser, before)).status, 403)
    const pending = await tokenOf(browser)
    await browser.call(signIn.verifyCode, { code: await readCode(testApp, email) })
    for (const stale of [before, pending]) {
      const reply = await logoutWith(browser, stale)
      assert.equal(reply.status, 403)
      assert.equal((await reply.json()).code, 'csrf_invalid')
    }
    await browser.call(signIn.logout, {})
  })

  test('a security token with any bit flipped is refused (C4)', async () => {
    const browser = testApp.browser()
    const token = await tokenOf(browser)
    let tried = 0
    for (let bit = 0; bit < token.length * 7; bit++) {
      const flipped = flip(token, bit)
      // Control characters cannot be sent in a header at all.
      if (!/^[\x21-\x7e]+$/.test(flipped)) continue
      // Rejected changes are limited by the minute.
      if (++tried % 100 === 0) testApp.wait(minutes(2))
      assert.equal((await logoutWith(browser, flipped)).status, 403, flipped)
    }
    assert.ok(tried >= 256, `${tried} flips`)
    assert.equal((await logoutWith(browser, token)).status, 200)
  })

  test('an empty or truncated security token is refused', async () => {
    const browser = testApp.browser()
    const token = await tokenOf(browser)
    for (const cut of ['', '.', token.slice(0, -1), token.split('.')[0] ?? '', `.${token.split('.')[1]}`])
      assert.equal((await logoutWith(browser, cut)).status, 403, cut)
  })

  test('a page of another site cannot read a security token (C5)', async () => {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const reply = await testApp.browser().fetch('/api/csrf-token', { headers })
    const allowHeaders = [...reply.headers.keys()].filter(name => name.startsWith('access-control'))
    assert.deepEqual(allowHeaders, [])
  })
})

function flip(text: string, bit: number): string {
  const at = Math.floor(bit / 7)
  const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit % 7)))
  return text.slice(0, at) + flipped + text.slice(at + 1)
}
