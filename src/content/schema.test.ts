import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sampleContent } from '../sample/site.server.ts'
import { SiteBody } from './site-body.ts'
import { toContent } from './site-content.ts'
import { describedVisas } from './visas.ts'

const { site, facts } = sampleContent

suite('Content of the public pages', () => {
  const categories = describedVisas(site)
  const [category, ...others] = categories
  const closed = categories.find(({ programme }) => programme.status === 'closed')
  const figure = category?.figures[0]

  test('the sample content is valid', () => {
    assert.deepEqual(SiteBody.parse(site), site)
  })

  test('the sample content has the eight claims of the specification', () => {
    const known = new Map(facts.map(fact => [fact.name, fact]))
    const values = toContent(site, known).claims.map(({ value }) => value)
    for (const value of [
      '95%',
      '24/7',
      '456',
      'AUD 2.5 million',
      'AUD 5 million',
      'Up to five years',
      'Under 45',
      'At least three years',
    ]) {
      assert.ok(values.includes(value), value)
    }
  })

  test('every stream of subclass 188 says that it is closed and what replaced it', () => {
    const streams = categories.filter(({ title }) => title.endsWith('stream'))
    assert.equal(streams.length, 3)
    for (const { title, programme } of streams) assert.equal(programme.status, 'closed', title)
  })

  test('no fact or summary holds an amount, an age or a length of time: those are figures', () => {
    for (const { description, facts } of categories) {
      for (const text of [description, ...facts.map(fact => fact.text)]) {
        const rest = text
          .replace(/subclass(es)? \d{3}/gi, '')
          .replace(/\d{1,2} \p{L}+ \d{4}|\p{L}+ \d{4}/gu, '')
        assert.doesNotMatch(rest, /\d/, text)
      }
    }
  })

  for (const key of ['label', 'fact']) {
    test(`a figure without ${key} is refused`, () => {
      assertRejected({ visaCategories: [{ ...category, figures: [without(figure, key)] }, ...others] })
    })

    test(`a claim about the law without ${key} is refused`, () => {
      const claim = site.claims.find(({ kind }) => kind === 'sourced')
      assertRejected({ claims: [without(claim, key)] })
    })
  }

  test("an agency's own claim without a note is refused", () => {
    assertRejected({ claims: [{ kind: 'own', label: 'Visa approval rate', value: '95%' }] })
  })

  test('a date that does not exist is refused', () => {
    assertRejected({
      visaCategories: [{ ...closed, programme: { ...closed?.programme, asAt: '2026-02-30' } }],
    })
  })

  for (const key of ['closedAfter', 'replacedBy']) {
    test(`a closed programme without ${key} is refused`, () => {
      assertRejected({ visaCategories: [{ ...closed, programme: without(closed?.programme, key) }] })
    })
  }

  test('a hero has one slide at least, and five at most', () => {
    const slides = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...site.slides[0], id: `slide-${at}` }))
    assertRejected({ slides: [] })
    assertRejected({ slides: slides(6) })
    for (const count of [1, 5]) assert.ok(SiteBody.safeParse({ ...site, slides: slides(count) }).success)
  })

  test('a site has twelve testimonials at most', () => {
    const testimonials = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...site.testimonials[0], id: `testimonial-${at}` }))
    assertRejected({ testimonials: testimonials(13) })
    for (const count of [0, 1, 12])
      assert.ok(SiteBody.safeParse({ ...site, testimonials: testimonials(count) }).success)
  })

  for (const buttonLink of [
    'javascript:alert(1)',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'contact',
  ]) {
    test(`a button to ${buttonLink} is refused`, () => {
      const [first, second, third] = site.slides
      assertRejected({ slides: [{ ...first, buttonLink }, second, third] })
    })
  }

  test('a source that is not a web page is refused', () => {
    const source = { label: 'Somewhere', url: 'javascript:alert(1)' }
    assertRejected({ visaCategories: [{ ...category, more: source }] })
  })

  test('a registration number of six digits is refused', () => {
    assertRejected({ agent: { ...site.agent, registrationNumber: '000000' } })
  })
})

/** Asserts that the sample with this change is rejected, with errors only for the change. */
function assertRejected(change: Partial<Record<keyof SiteBody, unknown>>): void {
  const { success, error } = SiteBody.safeParse({ ...site, ...change })
  assert.ok(!success, 'was accepted')
  const [key] = Object.keys(change)
  for (const { path } of error.issues) assert.equal(path[0], key)
}

function without(object: object | undefined, key: string): object {
  assert.ok(object && key in object, `there is no ${key} to leave out`)
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}
