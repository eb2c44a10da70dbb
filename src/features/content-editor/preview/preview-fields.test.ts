import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hostileJson } from '../../../../tests/fuzz/hostile-values.ts'
import { atLength } from '../../../../tests/support/at-length.ts'
import { addPage, pageBody } from '../../../../tests/support/content.ts'
import { openPreviews } from '../../../../tests/support/previews.ts'
import fc from '../../../../tests/support/properties.ts'
import { replaceOne } from '../../../../tests/support/replace-one.ts'
import { minutes } from '../../../platform/clock.ts'

const BODIES = atLength(60, 150)
/** The same in every run, so that a commit has one verdict. */
const seed = 27

/** Fields that no page shows as text: choices, addresses, numbers, and what only search engines and emails read. */
const UNSHOWN =
  /(\.|^)(id|kind|status|url|path|image|buttonLink|fact|service|timeZone|opens|closes|days\.\d|date|portraitUrl|avatarUrl|asAt|closedAfter|state)$|^holidays|^menu|^footerPages|^company\.siteName|^hours/

/** The name of a visa's only subclass repeats its title, and claims about closed programmes are with these. */
const ELSEWHERE = /^visaCategories\.\d+\.subclasses\.0\.name$|^claims\.\d+\.programme\..*$/

suite('Fields in a preview', async () => {
  const { testApp, editor, siteId, siteBody, open, saveDraft, showSite } = await openPreviews()

  test('the element that shows a text of the draft names its field, and pages of visitors name none', async () => {
    const leaves = new Map<string, string>()
    const visas = Object.values(Object(siteBody.visaCategories)).map(visa => ({
      ...Object(visa),
      isOnHome: true,
    }))
    const team = ['Mei', 'Ravi'].map(name => ({
      ...{ id: name, name, title: 'Agent', registrationNumber: '7654321', languages: ['English'] },
      introduction: [{ id: 'a', text: `${name} answers.` }],
    }))
    const body = withUniqueTexts({ ...siteBody, visaCategories: visas, team }, '', leaves)
    const pages = [
      await showSite('/', body),
      await showSite('/about-us', body),
      await showSite('/contact', body),
      await showSite('/team', body),
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
