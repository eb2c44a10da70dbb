import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { newId } from '../database/id.ts'

/** Written or read by the browser: the report escapes formulas, and an old address begins with a slash. */
const CSV_OF_THE_BROWSER = [
  'src/features/content-editor/moving/import-report.tsx',
  'src/features/content-editor/redirects/redirect-file.tsx',
  'src/features/content-editor/redirects/redirects-panel.tsx',
]
/** What makes, serves or describes the export of messages; its cells are tested with it. */
const CSV = [
  'src/features/inbox/bulk/bulk.server.ts',
  'src/features/inbox/contract.ts',
  'src/http/endpoint.ts',
  'src/http/openapi/openapi-document.ts',
]

const OPENED_BY_ITSELF = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

suite('Response headers', async () => {
  const testApp = await openTestApp()
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const read = testApp.served
    // The event stream has headers of its own, and the export is CSV.
    .filter(({ method, event, mediaType }) => method === 'GET' && !event && !mediaType)
    .map(({ path }) => path.replace(/:\w+/, newId(testApp.services.clock())))

  test('a reply of a call is JSON that no browser runs, frames, sniffs or shares with another site', async () => {
    assert.ok(read.length > 12)
    for (const path of [...read, '/api/nothing', '/api/auth/login'])
      for (const browser of [admin, testApp.browser()]) {
        const { headers } = await browser.fetch(path)
        assert.match(headers.get('content-type') ?? '', /^application\/json/, path)
        assert.equal(headers.get('content-security-policy'), OPENED_BY_ITSELF, path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
        assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path)
        assert.equal(headers.get('referrer-policy'), 'no-referrer', path)
        assert.equal(headers.get('strict-transport-security'), 'max-age=63072000', path)
      }
  })

  test('a reply of a call is cached by nobody, except two that are the same for everyone', async () => {
    const kept: string[] = []
    for (const path of read) {
      const cacheControl = (await admin.fetch(path)).headers.get('cache-control')
      if (cacheControl !== 'no-store') kept.push(`${path}: ${cacheControl}`)
    }
    assert.deepEqual(kept.sort(), [
      '/api/openapi.json: public, max-age=300',
      '/api/public/recaptcha: public, max-age=60',
    ])
  })

  test('only the export replies with CSV, in which a cell could be a formula, whatever is asked for (X14)', async () => {
    for (const path of read) {
      const csv = await admin.fetch(path, { headers: { accept: 'text/csv' } })
      assert.match(csv.headers.get('content-type') ?? '', /^application\/json/, path)
      assert.equal(csv.headers.get('content-disposition'), null, path)
    }
    const sources = globSync('src/**/*.{ts,tsx}').filter(file => !/\.test\.ts$|^src\/testing\//.test(file))
    assert.deepEqual(
      sources
        .filter(file => /text\/csv|\.csv\b|ms-excel|spreadsheetml/i.test(readFileSync(file, 'utf8')))
        .sort(),
      [...CSV, ...CSV_OF_THE_BROWSER].sort(),
    )
  })

  test('the headers of a page or a file enforce HTTPS for two years and forbid sniffing and frames', async () => {
    const { url } = await openSite(testApp)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
    for (const path of [
      '/',
      '/auth',
      '/dashboard',
      '/verify-email',
      '/no-such-page',
      '/robots.txt',
      '/.well-known/security.txt',
      '/.well-known/change-password',
      script,
    ]) {
      const { headers } = await fetch(`${url}${path}`, { redirect: 'manual' })
      assert.equal(headers.get('strict-transport-security'), 'max-age=63072000', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
      assert.ok(headers.get('referrer-policy'), path)
    }
  })

  test('a response over plain HTTP has no Strict-Transport-Security header', async () => {
    const plain = await openTestApp({ publicUrl: PUBLIC_URL.replace('https', 'http') })
    const { headers } = await plain.browser().fetch('/api/csrf-token')
    assert.equal(headers.get('strict-transport-security'), null)
    assert.equal(headers.get('content-security-policy'), OPENED_BY_ITSELF)
  })
})
