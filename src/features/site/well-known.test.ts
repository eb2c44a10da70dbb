import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { days } from '../../platform/clock.ts'
import { securityTextResponse } from './well-known.server.ts'

const TEXT = '/.well-known/security.txt'
const PASSWORD = '/.well-known/change-password'

suite('Well-known URLs', async () => {
  const testApp = await openTestApp()
  const { url, uncachedUrl } = await openSite(testApp)

  test('security.txt says where to report a weakness, until when that is valid, and in what language', async () => {
    for (const address of [url, uncachedUrl, url]) {
      const reply = await fetch(`${address}${TEXT}`)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8')
      const lines = (await reply.text()).split('\n')
      assert.equal(lines[0], `Contact: ${PUBLIC_URL}/contact`)
      assert.equal(lines[2], 'Preferred-Languages: en')
      assert.equal(lines[3], `Canonical: ${PUBLIC_URL}${TEXT}`)
      const left = Date.parse(lines[1]?.replace('Expires: ', '') ?? '') - Date.now()
      assert.ok(left > days(178) && left < days(365), lines[1])
    }
  })

  test('security.txt names the contact that the operator has set, and a later expiry each day', async () => {
    let now = Date.parse('2026-03-01T13:00:00Z')
    const config = { publicUrl: PUBLIC_URL, securityContact: 'mailto:security@agency.test' }
    const page = securityTextResponse(config, () => new Date(now)).get(TEXT)
    const read = async () => Buffer.from((await page?.fetch(''))?.plain.body ?? []).toString()
    assert.match(await read(), /^Contact: mailto:security@agency\.test\nExpires: 2026-08-28T00:00:00\.000Z\n/)
    now += days(400)
    assert.equal(page?.peek(''), undefined)
    assert.match(await read(), /\nExpires: 2027-10-02T00:00:00\.000Z\n/)
    assert.ok(page?.peek(''))
  })

  test('change-password redirects to the profile, and never to another site', async () => {
    for (const host of ['', 'evil.test']) {
      const reply = await fetch(`${url}${PASSWORD}`, {
        redirect: 'manual',
        headers: { 'x-forwarded-host': host },
      })
      assert.equal(reply.status, 302)
      assert.equal(reply.headers.get('location'), '/dashboard?profile=edit')
      assert.equal(reply.headers.get('cache-control'), 'no-store')
    }
    const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    assert.equal((await fetch(`${url}${missing}`)).status, 404)
  })

  test('well-known URLs accept no other method, and are not in the sitemap (X2)', async () => {
    for (const path of [TEXT, PASSWORD]) {
      const reply = await fetch(`${url}${path}`, { method: 'DELETE' })
      assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
      assert.equal((await fetch(`${url}${path}`, { method: 'HEAD', redirect: 'manual' })).status < 400, true)
    }
    assert.doesNotMatch(await (await fetch(`${url}/sitemap.xml`)).text(), /well-known/)
  })
})
