import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { leavesOf } from '../../tests/support/leaves.ts'
import { findErrors, findFactNames, parseStored, type TypedBody } from '../content/bodies.ts'
import type { FirstDocument } from '../content/first-content.server.ts'
import { officeOf } from '../content/office/office.ts'
import { isOpen } from '../content/office/working-time.ts'
import { askAbout, folders, isReserved } from '../content/reserved-paths.ts'
import { describedVisas } from '../content/visas.ts'
import { formTypes, services } from '../features/enquiry-form/contract.ts'
import { samplePages } from './pages.server.ts'
import { sampleContent } from './site.server.ts'

const fixedPaths = ['/', '/about-us', '/contact', '/visas', '/news']
/** Words of one sentence that somebody can read in a second language. */
const MAX_WORDS = 25
/** Claims that an agency must not make, and notes for its staff. */
const unwelcome =
  /\b(guarantee\w*|assured?|success\w*|approval|free|best|leading|fastest|cheap\w*|24\/7|example (figure|fee)|todo|placeholder)\b|100 ?%/i

type Page = Exclude<TypedBody, { kind: 'site' }>

suite('The sample pages of a new installation', () => {
  const { site, facts } = sampleContent
  const documents = samplePages.documents(site)
  const known = [...facts, ...samplePages.facts].map(({ name }) => name)
  const paths = new Set([...fixedPaths, ...documents.map(({ path }) => path)])
  const subclasses = new Set(
    describedVisas(site).flatMap(each => each.subclasses.flatMap(({ numbers }) => numbers)),
  )

  test('each can be published, at an address of its own', () => {
    assert.equal(paths.size, fixedPaths.length + documents.length)
    for (const { kind, path, title, body } of documents) {
      assert.deepEqual(findErrors(kind, body), {}, path)
      assert.deepEqual([Reflect.get(Object(body), 'path'), Reflect.get(Object(body), 'title')], [path, title])
      if (kind === 'article' || kind === 'visa') assert.ok(path.startsWith(folders[kind]), path)
      else assert.ok(!isReserved(path), path)
    }
  })

  test('every link to the form in the text of a visa names that visa (found V8)', () => {
    const visas = documents.filter(({ kind }) => kind === 'visa')
    assert.ok(visas.length > 0)
    for (const { path, body } of visas)
      assert.deepEqual(JSON.stringify(body).match(/\/contact\b[^"]*/g), [askAbout(path)], path)
  })

  test('the site has the holidays of two years, and an office that closes on them', () => {
    const { holidays } = samplePages
    assert.deepEqual(findErrors('site', { ...site, holidays }), {})
    const isOn = (name: string) => holidays.filter(it => it.name === name).map(({ date }) => date)
    assert.deepEqual(isOn('Easter Sunday'), [easterSunday(2026), easterSunday(2027)])
    const easter = { 'Good Friday': 5, 'Easter Saturday': 6, 'Easter Sunday': 0, 'Easter Monday': 1 }
    const mondays = { "King's Birthday": 1, 'Labour Day': 1 }
    for (const [name, weekday] of Object.entries({ ...easter, ...mondays }))
      assert.deepEqual(
        isOn(name).map(date => new Date(date).getUTCDay()),
        [weekday, weekday],
        name,
      )
    const isOpenAt = (time: string) => isOpen(officeOf({ ...site, holidays }), new Date(time))
    assert.deepEqual([isOpenAt('2026-12-28T12:00+11:00'), isOpenAt('2026-12-29T12:00+11:00')], [false, true])
  })

  test('each category of visas has a page, with the data of the site', () => {
    const pages = documents.map(parse).flatMap(page => (page.kind === 'visa' ? [page.body] : []))
    const data = ({ subclasses, facts, figures, programme }: Omit<(typeof pages)[number], 'path'>) => ({
      subclasses,
      facts,
      figures,
      programme,
    })
    assert.deepEqual(
      pages.map(data),
      describedVisas(site).map(category => data({ ...category, blocks: [] })),
    )
  })

  test('every number of the law is a fact, known once', () => {
    assert.equal(new Set(known).size, known.length)
    const used = new Set(documents.flatMap(({ body }) => findFactNames(body).map(([, name]) => name)))
    for (const name of used) assert.ok(known.includes(name), name)
    for (const { name } of samplePages.facts) assert.ok(used.has(name), `${name} is on a page`)
  })

  test('no sentence has a number of its own, except a year, a subclass and a fee that staff fill in', () => {
    for (const { sentence, path } of sentences()) {
      const rest = sentence
        .replace(/AUD [0,]+/g, '')
        .replace(/\b20\d\d\b/g, '')
        .replace(/\b\d{3}\b/g, number => (subclasses.has(number) ? '' : number))
      assert.doesNotMatch(rest, /\d/, path)
    }
  })

  test('every sentence is short, and promises nothing', () => {
    for (const { sentence, path } of sentences()) {
      assert.ok(sentence.split(/\s+/).length <= MAX_WORDS, `${path}: ${sentence}`)
      assert.doesNotMatch(sentence, unwelcome, path)
    }
  })

  test('search results show each title and description whole', () => {
    for (const { path, title, body } of documents) {
      assert.ok(title.length <= 60, title)
      const { length } = String(Reflect.get(Object(body), 'description'))
      assert.ok(length >= 80 && length <= 155, `${path}: ${length} characters`)
    }
  })

  test('every link leads to a page, and every page is linked', () => {
    const linked = [...samplePages.menu, ...samplePages.footerPages].map(({ path }) => path)
    for (const { path, body } of documents)
      for (const href of hrefsOf(body)) {
        if (!href.startsWith('/')) continue
        const { pathname, searchParams } = new URL(href, 'https://agency.test')
        assert.ok(paths.has(pathname), `${path} links to ${href}`)
        for (const [key, value] of searchParams)
          assert.ok(
            choices[key]?.includes(value) || (key === 'visa' && paths.has(`${folders.visa}${value}`)),
            href,
          )
        if (pathname !== path) linked.push(pathname)
      }
    // The pages /news and /visas list the others.
    for (const { kind, path } of documents) assert.ok(kind !== 'page' || linked.includes(path), path)
    for (const path of linked) assert.ok(paths.has(path), path)
  })

  function sentences() {
    return documents.flatMap(document => {
      const { body } = parse(document)
      return [body.title, body.description, ...body.blocks.flatMap(linesOf)]
        .flatMap(line => line.split(/(?<=[.?!:])\s+/))
        .map(sentence => ({ sentence, path: document.path }))
    })
  }
})

const choices: Readonly<Record<string, readonly string[]>> = { form: formTypes, service: services }

function parse({ kind, body }: FirstDocument): Page {
  const page = parseStored(kind, { body: JSON.stringify(body), schema: 1 })
  if (page.kind === 'site') throw new Error('The site is no page')
  return page
}

/** The paragraphs of a block, each fact as one word. */
function linesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('question' in value && 'answer' in value) return [String(value.question), ...linesOf(value.answer)]
  if ('type' in value && 'content' in value && (value.type === 'paragraph' || value.type === 'heading'))
    return [inlinesOf(value.content)]
  return Object.values(value).flatMap(linesOf)
}

function inlinesOf(content: unknown): string {
  return Array.isArray(content)
    ? content.map((inline: { text?: string }) => inline.text ?? 'fact').join('')
    : ''
}

function hrefsOf(body: unknown): string[] {
  return leavesOf(body).filter(text => /^(\/|https:|mailto:)\S*$/.test(text))
}

/** The anonymous Gregorian algorithm, of 1876. */
function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - f + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const sum = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114
  return new Date(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)).toISOString().slice(0, 10)
}
