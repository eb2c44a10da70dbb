import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hostileJson } from '../../../tests/fuzz/hostile-values.ts'
import type { Browser } from '../../../tests/support/browser.ts'
import { addPage, newPath, pageBody, publishPage } from '../../../tests/support/content.ts'
import { replaceOne } from '../../../tests/support/replace-one.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken } from '../../../tests/support/token-client.ts'
import { minutes } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { content } from './contract.ts'
import { listPreviewPages } from './preview-pages.ts'

const BODIES = process.env.TEST_DATABASE_URL ? 60 : 150
const seed = randomInt(2 ** 31)

/** Fields that no page shows as text: choices, addresses, numbers, and what only search engines and emails read. */
const UNSHOWN =
  /(\.|^)(id|kind|status|url|path|image|buttonLink|fact|service|timeZone|opens|closes|days\.\d|date|portraitUrl|avatarUrl|asAt|closedAfter|state)$|^holidays|^menu|^footerPages|^company\.siteName|^hours/

/** The name of a visa's only subclass repeats its title, and claims about closed programmes are with these. */
const ELSEWHERE = /^visaCategories\.\d+\.subclasses\.0\.name$|^claims\.\d+\.programme\..*$/

suite('Preview of a draft', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const site = await openSite(testApp, { print: () => {}, clock: services.clock })
  const signedIn = async (role: 'admin' | 'editor' | 'viewer') =>
    await signInAs(testApp, (await createStaff(testApp, role)).email)
  const [editor, admin, viewer] = [
    await signedIn('editor'),
    await signedIn('admin'),
    await signedIn('viewer'),
  ]
  const siteId = (await viewer.call(content.list, { kind: 'site' })).documents[0]?.id ?? ''
  const siteBody = (await viewer.call(content.open, { id: siteId })).draft.body

  async function open(path: string, browser: Browser | null, headers: Record<string, string> = {}) {
    const cookie = browser ? [...browser.cookies].map(pair => pair.join('=')).join('; ') : ''
    const url = `${services.config.publicUrl}${path}`
    return await site.fetch(new Request(url, { headers: { ...(cookie && { cookie }), ...headers } }))
  }

  async function saveDraft(id: string, body: unknown) {
    const { revision } = (await editor.call(content.open, { id })).draft
    return await editor.send('PUT', `/api/content/${id}/draft`, { body, revision })
  }

  async function showSite(path: string, body: unknown) {
    assert.equal((await saveDraft(siteId, body)).status, 200)
    testApp.wait(minutes(1))
    const reply = await open(`/preview/${siteId}${path}`, editor)
    assert.equal(reply.status, 200)
    return await reply.text()
  }

  test('staff who may read content see the page of a draft, and nobody else learns that it exists (W8)', async () => {
    const { id } = await addPage(editor, { title: 'Not yet public' })
    for (const browser of [editor, admin, viewer]) {
      const reply = await open(`/preview/${id}/`, browser)
      assert.equal(reply.status, 200)
      assert.match(await reply.text(), /<h1 data-edit="title">Not yet public<\/h1>/)
    }
    const { token } = await createToken(admin, await createStaff(testApp, 'editor'))
    const unknown = await open('/nowhere', null)
    const expected = [unknown.status, await unknown.text(), [...unknown.headers]]
    assert.equal(unknown.status, 404)
    for (const reply of [
      await open(`/preview/${id}/`, null),
      await open(`/preview/${id}/?version=1`, null),
      await open(`/preview/${siteId}/`, null, { cookie: 'session=made-up' }),
      await open(`/preview/${id}/`, null, { authorization: `Bearer ${token}` }),
      await open(`/preview/${id}/`, editor, { authorization: `Bearer ${token}` }),
      await open(`/preview/${newId(services.clock())}/`, editor),
      await open('/preview/no-id/', editor),
      await open(`/preview/${siteId}/nowhere`, editor),
      await open(`/preview/${id}/?version=7`, editor),
      await open(`/preview/${id}/?version=one`, editor),
    ])
      assert.deepEqual([reply.status, await reply.text(), [...reply.headers]], expected)
  })

  test('a preview ends with the session', async () => {
    const leaving = await signedIn('viewer')
    assert.equal((await open(`/preview/${siteId}/`, leaving)).status, 200)
    const cookies = new Map(leaving.cookies)
    await leaving.send('POST', '/api/auth/logout')
    assert.equal((await open(`/preview/${siteId}/`, { ...leaving, cookies })).status, 404)
  })

  test('a preview runs nothing, is framed by the portal only, and is kept by nobody (W9)', async () => {
    const { headers } = await open(`/preview/${siteId}/`, viewer)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ])
      assert.ok(policy.split('; ').includes(part), part)
    assert.doesNotMatch(policy, /sandbox|unsafe|connect-src|frame-src/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.doesNotMatch(
      await (await open(`/preview/${siteId}/`, viewer)).text(),
      /<script|data-island="carousel"/,
    )
    const portal = await open('/dashboard', null)
    assert.match(
      portal.headers.get('content-security-policy') ?? '',
      /frame-src 'self';.*frame-ancestors 'none'/,
    )
  })

  test('each user gets 60 previews a minute', async () => {
    const eager = await signedIn('viewer')
    const statuses = []
    for (let at = 0; at < 61; at++) statuses.push((await open(`/preview/${siteId}/contact`, eager)).status)
    assert.deepEqual(statuses.slice(-2), [200, 429])
    assert.equal((await open(`/preview/${siteId}/contact`, admin)).status, 200)
    testApp.wait(minutes(1))
    assert.equal((await open(`/preview/${siteId}/contact`, eager)).status, 200)
  })

  test('a draft is shown whatever its path is, half typed or no path at all', async () => {
    const { id } = await addPage(editor)
    for (const path of ['', '/../x', '../x', '/100%', '/a?b#c', '/\ud800']) {
      assert.equal((await saveDraft(id, pageBody(path, 'Unfinished'))).status, 200)
      const { document } = await editor.call(content.open, { id })
      for (const page of Object.values(listPreviewPages(document))) {
        const reply = await open(`/preview/${id}${page}`, editor)
        assert.match(await reply.text(), />Unfinished</)
      }
    }
    for (const page of Object.values(listPreviewPages({ kind: 'site' })))
      assert.equal((await open(`/preview/${siteId}${page}`, editor)).status, 200)
  })

  test('an old version is shown as it was', async () => {
    const { id, path } = await publishPage(editor, { title: 'First title' })
    await saveDraft(id, pageBody(path, 'Second title'))
    assert.match(await (await open(`/preview/${id}/?version=1`, viewer)).text(), />First title</)
    assert.match(await (await open(`/preview/${id}/`, viewer)).text(), />Second title</)
  })

  test('empty articles and visas can be previewed', async () => {
    for (const [kind, folder] of [
      ['article', '/news'],
      ['visa', '/visas'],
    ] as const) {
      const path = `${folder}${newPath()}`
      const { document } = await editor.call(content.create, { kind, path, title: `New ${kind}` })
      const reply = await open(`/preview/${document.id}${path}`, viewer)
      assert.equal(reply.status, 200)
      assert.match(await reply.text(), new RegExp(`data-edit="title">New ${kind}<`))
    }
  })

  test('the element that shows a text of the draft names its field, and pages of visitors name none', async () => {
    const leaves = new Map<string, string>()
    const body = withUniqueTexts(siteBody, '', leaves)
    const pages = [
      await showSite('/', body),
      await showSite('/about-us', body),
      await showSite('/contact', body),
    ]
    assert.ok(leaves.size > 150, `${leaves.size} texts`)
    const wrong = [...leaves].flatMap(([path, text]) => {
      const fields = pages.flatMap(html => fieldsAround(html, text))
      const isRight = fields.every(field => isField(field, path))
      return isRight && (fields.length > 0 || ELSEWHERE.test(path)) ? [] : [[path, ...fields]]
    })
    assert.deepEqual(wrong, [])
    for (const path of ['/', '/about-us', '/contact'])
      assert.doesNotMatch(await (await open(path, null)).text(), /data-edit/)
  })

  test('a field that no page can show is named in words, and a missing date or fact is not in the way', async () => {
    const company = { ...Object(siteBody.company), phone: '' }
    const [first, ...others] = Object.values(Object(siteBody.visaCategories))
    const closed = {
      status: 'closed',
      closedAfter: '',
      replacedBy: { title: '', description: '', url: '' },
      asAt: '31/12',
      source: { label: '', url: 'http' },
    }
    const figures = [{ id: 'f', label: 'Charge', fact: 'no-such-fact' }]
    const category = { ...Object(first), programme: closed, figures }
    const html = await showSite('/', { ...siteBody, company, visaCategories: [category, ...others] })
    assert.match(html, /data-edit="visaCategories\.0\.figures\.0\.fact"><strong>…/)
    const withoutSlides = { ...siteBody, links: [{ id: 'a', label: 'Bad', url: 'javascript:alert(1)' }] }
    assert.doesNotMatch(await showSite('/', withoutSlides), /href="javascript:alert/)
  })

  test(`hostile drafts never become markup and get no 5xx, ${BODIES} with seed ${seed} (W3)`, async () => {
    const page = await addPage(editor)
    let shown = 0
    for (const [isSite, place, value] of fc.sample(fc.tuple(fc.boolean(), fc.nat(), hostileJson), {
      seed,
      numRuns: BODIES,
    })) {
      const [id, body] = isSite ? [siteId, siteBody] : [page.id, pageBody(page.path)]
      if ((await saveDraft(id, replaceOne(body, place, value))).status !== 200) continue
      testApp.wait(minutes(1))
      const reply = await open(`/preview/${id}/`, editor)
      assert.equal(reply.status, 200, JSON.stringify(value))
      const tags = (await reply.text()).match(/<[^>]*>/g) ?? []
      for (const tag of tags) assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, '""'), /^<script|\son\w+=/i)
      shown++
    }
    // One in four, on average.
    assert.ok(shown > 2, `${shown} were shown`)
  })
})

/** The field at a path, or the object or list that it is in. Of company and agent, one element shows several fields. */
function isField(field: string, path: string): boolean {
  if (path === field || path.startsWith(`${field}.`)) return true
  return /^(company|agent)\./.test(path) && sibling(field) === sibling(path)
}

const sibling = (path: string) => path.slice(0, path.lastIndexOf('.'))

/** The fields that the innermost elements around a text name. */
function fieldsAround(html: string, text: string): readonly string[] {
  const fields: string[] = []
  const open: (string | undefined)[] = []
  for (const [token] of html.slice(html.indexOf('<body')).matchAll(/<[^>]*>|[^<]+/g)) {
    if (token.startsWith('</')) open.pop()
    else if (!token.startsWith('<')) {
      if (token.toLowerCase().includes(text)) fields.push(open.findLast(Boolean) ?? 'none')
    } else if (!/^<(img|input|br|hr)\b|\/>$/.test(token)) open.push(/ data-edit="([^"]*)"/.exec(token)?.[1])
  }
  return fields
}

/** The same with a text of its own at each leaf that pages show. */
function withUniqueTexts(value: unknown, path: string, leaves: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part, at) => withUniqueTexts(part, `${path}.${at}`, leaves))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        withUniqueTexts(part, path ? `${path}.${key}` : key, leaves),
      ]),
    )
  if (typeof value !== 'string' || UNSHOWN.test(path)) return value
  if (/\.numbers\.\d$|^company\.(abn|phone|email)$|registrationNumber$/.test(path)) return value
  const text = `unique${leaves.size}text`
  leaves.set(path, text)
  return text
}
