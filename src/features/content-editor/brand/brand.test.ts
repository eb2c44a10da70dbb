import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { publishSite } from '../../../../tests/support/content.ts'
import { openPreviews } from '../../../../tests/support/previews.ts'
import { until } from '../../../../tests/support/until.ts'
import { pairingNames, pairings } from '../../../content/brand/brand.ts'
import { findClaims } from '../../../content/claims/find-claims.ts'
import { SiteBody } from '../../../content/site-body.ts'
import { content } from '../contract.ts'
import { mergeBodies } from '../editor/merge.ts'

const claimContext = {
  language: 'en',
  today: '2026-12-01',
  facts: new Map(),
  paths: null,
  host: '',
  people: null,
  subclasses: new Map(),
}
const brand = { main: '#7a2e4a', accent: '#E8C170' }
/** One of each kind of document, with what shows errors. */
const documents = [
  '/',
  '/about-us',
  '/contact',
  '/visas',
  '/fees',
  '/nowhere',
  '/auth',
  '/set-password',
  '/dashboard',
  '/content',
]

suite('The brand of an agency', async () => {
  const { testApp, editor, viewer, siteId, siteBody, open, saveDraft, showSite } = await openPreviews()
  const publish = async (body: unknown) =>
    await publishSite(testApp, editor, { site: SiteBody.parse(body), facts: [] })
  const pageWith = async (path: string) => {
    const reply = await open(path, null)
    return { html: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '' }
  }
  const before = new Map<string, string>()
  for (const path of documents) before.set(path, (await pageWith(path)).html)

  test('a site without a brand has no style of its own, and its policy allows none', async () => {
    for (const path of documents) {
      const { html, policy } = await pageWith(path)
      assert.doesNotMatch(html, /<style/, path)
      assert.match(policy, /style-src 'self'(;|$)/, path)
    }
  })

  test('a draft shows in its preview, and nowhere else', async () => {
    const html = await showSite('/', { ...siteBody, brand })
    assert.match(html, /--band:#7a2e4a/)
    const preview = await open(`/preview/${siteId}/`, viewer)
    assertAllowed(await preview.text(), preview.headers.get('content-security-policy') ?? '', 'preview')
    for (const path of documents) assert.equal((await pageWith(path)).html, before.get(path), path)
  })

  test('the preview has the sign-in and an email of the draft, whose policy allows its own styles only', async () => {
    await saveDraft(siteId, { ...siteBody, brand: { ...brand, logo: { picture: 'a'.repeat(32) } } })
    const signIn = await open(`/preview/${siteId}/sign-in`, viewer)
    const page = await signIn.text()
    assertAllowed(page, signIn.headers.get('content-security-policy') ?? '', 'sign-in')
    assert.match(page, /class="panel sign-in-panel"/)
    assert.match(page, /prefers-color-scheme:dark/, 'as the portal')
    const email = await open(`/preview/${siteId}/email`, viewer)
    const html = await email.text()
    assert.match(html, /border-top:4px solid #7a2e4a/)
    assert.match(html, new RegExp(`src="/pictures/${'a'.repeat(32)}-64.png"`))
    const policy = email.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'none'/)
    assert.doesNotMatch(policy, /unsafe-inline/)
    for (const [, attribute, element] of html.matchAll(/ style="([^"]*)"|<style>([^<]*)</g)) {
      const hash = createHash('sha256')
        .update(attribute ?? element ?? '')
        .digest('base64')
      assert.ok(policy.includes(`'sha256-${hash}'`), attribute ?? element)
    }
    for (const path of ['sign-in', 'email'])
      assert.equal((await open(`/preview/${siteId}/${path}`, null)).status, 404, path)
    await saveDraft(siteId, { ...siteBody, brand: { main: 'red;}', logo: { picture: '"><script>' } } })
    const hostile = await (await open(`/preview/${siteId}/email`, viewer)).text()
    assert.doesNotMatch(hostile, /<script|<img|red;/)
  })

  test('what is no colour gets into no page, and cannot be published', async () => {
    const hostile = '#7a2e4a}body{background:url(//evil.test)}</style><script>'
    for (const main of [hostile, '#7a2e4', '#7a2e4a;', 'red', '#7a2e4a\n', ' #7a2e4a'])
      assert.doesNotMatch(await showSite('/', { ...siteBody, brand: { main } }), /<style|evil/, main)
    const { revision } = (await editor.call(content.open, { id: siteId })).draft
    const refused = await editor.send('POST', `/api/content/${siteId}/publish`, { revision, overrides: [] })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(await refused.json()), /brand\.main.*Give a colour such as #7A2E4A/)
    for (const wrong of [{ css: 'x' }, [], 'red', { main: 7 }, { main: { a: 1 } }])
      assert.equal(
        (await saveDraft(siteId, { ...siteBody, brand: wrong })).status,
        400,
        JSON.stringify(wrong),
      )
  })

  test('once it is published, every kind of document on every node has it, and allows that style only', async () => {
    // The 170 in the accent is no number that a visitor reads.
    assert.deepEqual(findClaims({ brand }, claimContext), [])
    await publish({ ...siteBody, brand })
    await until(async () => (await pageWith('/')).html.includes('--band:#7a2e4a'))
    for (const path of documents) {
      await until(async () => (await pageWith(path)).html.includes('<style'))
      const { html, policy } = await pageWith(path)
      assertAllowed(html, policy, path)
      assert.match(html, /<meta name="theme-color" content="#7a2e4a"/, path)
      // Behind the stylesheet, whose layers it joins.
      assert.ok(html.indexOf('rel="stylesheet"') < html.indexOf('<style'), path)
    }
    const { html } = await pageWith('/dashboard')
    assert.match(html, /@media screen and \(prefers-color-scheme:dark\)\{:root\{--action:#/)
    assert.doesNotMatch((await pageWith('/')).html, /prefers-color-scheme/)
    assert.doesNotMatch((await pageWith('/news/feed.xml')).html, /<style/)
  })

  test('a page asks for the faces of its pairing first, and for no other', async () => {
    const asked = (html: string) =>
      [...html.matchAll(/rel="preload" href="\/assets\/([a-z-]+)-[\w-]+\.woff2"/g)].map(([, name]) => name)
    assert.deepEqual(asked(before.get('/') ?? ''), ['fraunces', 'public-sans'])
    for (const type of pairingNames) {
      const { headings, fonts } = pairings[type]
      const html = await showSite('/', { ...siteBody, brand: { pairing: type } })
      assert.deepEqual(asked(html), fonts, type)
      assert.equal(html.includes(`--serif:${headings}`), type !== 'harbour', type)
    }
    await publish({ ...siteBody, brand: { pairing: 'gazette' } })
    for (const path of documents) {
      await until(async () => (await pageWith(path)).html.includes('--serif:"Newsreader"'))
      const { html, policy } = await pageWith(path)
      assertAllowed(html, policy, path)
      assert.deepEqual(asked(html), ['newsreader', 'public-sans'], path)
    }
    for (const type of ['comic', '"x"', 'toString', '__proto__', null])
      assert.equal(
        (await saveDraft(siteId, { ...siteBody, brand: { pairing: type } })).status,
        400,
        String(type),
      )
  })

  test('two people change parts of one brand, and only who begins one at once has to choose', () => {
    const merge = (base: object, mine: object, theirs: object) =>
      mergeBodies({ ...base }, { ...mine }, { ...theirs })
    const both = merge(
      { brand },
      { brand: { ...brand, pairing: 'signal' } },
      { brand: { ...brand, main: '#111111' } },
    )
    assert.deepEqual(both, {
      value: { brand: { ...brand, main: '#111111', pairing: 'signal' } },
      conflicts: [],
    })
    const [conflict] = merge({}, { brand }, { brand: { main: '#111111' } }).conflicts
    assert.equal(conflict?.path, 'brand')
  })

  test('a pairing has the weight that the screen says, and each face fits into the first paint', () => {
    for (const type of pairingNames) {
      const sizes = pairings[type].fonts.map(name => readFileSync(`src/ui/fonts/${name}.woff2`).length)
      assert.equal(Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000), pairings[type].weight, type)
      assert.ok(Math.max(...sizes) <= 11_200, type)
    }
  })

  test('without its brand, an agency has the bytes that it had', async () => {
    await publish(siteBody)
    for (const path of documents) await until(async () => (await pageWith(path)).html === before.get(path))
  })
})

/** One style element, whose hash is the one source beside the site itself. */
function assertAllowed(html: string, policy: string, about: string) {
  const [, css, ...others] = html.split(/<style>|<\/style>/)
  assert.equal(others.length, 1, about)
  const hash = createHash('sha256')
    .update(css ?? '')
    .digest('base64')
  assert.ok(policy.split('; ').includes(`style-src 'self' 'sha256-${hash}'`), `${about}: ${policy}`)
  assert.doesNotMatch(policy, /unsafe/, about)
}
