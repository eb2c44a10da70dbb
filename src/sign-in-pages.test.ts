import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { changeDetails } from '../tests/support/content.ts'
import { openSite } from '../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../tests/support/test-app.ts'
import { until } from '../tests/support/until.ts'
import { securityHeaders } from './http/security-headers.ts'
import { sampleContent } from './sample/site.server.ts'
import { signInDocumentPaths as paths } from './screens.ts'

suite('The pages of the sign-in', async () => {
  const testApp = await openTestApp()
  const { url } = await openSite(testApp)

  const footerOf = async (path: string) =>
    /<footer.*<\/footer>/s.exec(await (await fetch(url + path)).text())?.[0] ?? ''

  test('the sign-in pages name the agency without a script, as the public pages do', async () => {
    assert.deepEqual(paths, [
      '/auth',
      '/login',
      '/verify-email',
      '/forgot-password',
      '/set-password',
      '/set-up',
    ])
    const expected = await footerOf('/')
    assert.match(expected, new RegExp(`MARN\\u00A0${sampleContent.site.agent.registrationNumber}`))
    for (const path of paths) assert.equal(await footerOf(path), expected, path)
  })

  test('the sign-in pages show a new phone number and a new name of the site', async () => {
    await changeDetails(testApp, { contact_phone: '+61 2 5550 1234', site_name: 'Harbour & Söhne' })
    for (const path of paths) {
      // Each is published by itself, and the name last.
      await until(async () => (await footerOf(path)).includes('Söhne'))
      assert.ok((await footerOf(path)).includes('+61 2 5550 1234'), path)
      const html = await (await fetch(url + path)).text()
      assert.match(html, />Harbour &amp; Söhne<\/p>/, path)
      assert.match(html, /data-site-name="Harbour &amp; Söhne"/, path)
    }
  })

  test('the sign-in pages keep their strict policy', async () => {
    const strict = securityHeaders('sign-in', PUBLIC_URL)['Content-Security-Policy'] ?? ''
    for (const path of paths)
      assert.equal((await fetch(url + path)).headers.get('content-security-policy'), strict, path)
  })
})
