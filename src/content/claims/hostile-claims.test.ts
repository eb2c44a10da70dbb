// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../tests/support/at-length.ts'
import fc from '../../../tests/support/properties.ts'
import { findClaims } from './find-claims.ts'
import type { ClaimContext } from './finding.ts'

/** Characters: at length the largest body, else a quarter of it. */
const LENGTH = atLength(256 * 1024, 1024 * 1024)
/** Of the time of plain words. A slower rule reads more than the text once. */
const MOST_TIMES = 12
/** Milliseconds. Shorter times are not comparable. */
const SHORTEST = 5

const context: ClaimContext = {
  language: 'en',
  today: '2026-12-01',
  facts: new Map(),
  subclasses: new Map([['188', 'closed']]),
  paths: new Set(['/']),
  people: null,
  host: 'agency.test',
}
const find = (body: unknown) => findClaims(body, context)

/** Parts of sentences on which a rule might read the rest of the text again and again. */
const units = [
  'we guarantee your visa, ',
  'not ',
  'no visa ',
  'leading the best ',
  'special access to the ',
  'government-approved a b ',
  'all of our clients ',
  'best-',
  '"guarantee ',
  "'",
  ', who ',
  '1',
  '1,',
  '1 ',
  '99% ',
  '$1,',
  'subclass 188, ',
  '188 ',
  'section 1 ',
  'e\u0301',
  '\u0301\u0316',
  '\u200b',
  '\ue000',
  'No. ',
  'We guarantee your visa. ',
  'The fee is $1. ',
]

suite('The claim guard with hostile bodies', () => {
  test('it never throws, and a finding always has a sentence that can be sent back', () => {
    const words = fc.constantFrom(
      'guarantee',
      'visa',
      '188',
      '"',
      '\u200b',
      '\ud800',
      '\u0000',
      '\n',
      '$9',
      'a'.repeat(3000),
    )
    const text = fc.array(fc.oneof(words, fc.string({ unit: 'binary' }))).map(parts => parts.join(' '))
    const key = fc.oneof(
      fc.constantFrom(
        'title',
        'type',
        'content',
        'text',
        'marks',
        'attrs',
        'name',
        'fact',
        'agent',
        'testimonials',
      ),
      fc.constantFrom(
        'subclasses',
        'programme',
        'numbers',
        'status',
        'label',
        'value',
        'blocks',
        '__proto__',
      ),
    )
    const body = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.anything(),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    })).value
    fc.assert(
      fc.property(body, value => {
        for (const { sentence, path } of find(value)) {
          assert.ok(sentence.length > 0 && sentence.length <= 2000 && sentence === sentence.trim(), path)
          assert.doesNotMatch(sentence, /\p{Cc}/u)
          assert.ok(sentence.isWellFormed())
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a text of one mebibyte takes a time in proportion to its length', () => {
    // Of the processor, because other tests run beside this one.
    const time = (text: string) => {
      const start = process.cpuUsage()
      find({ title: text })
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }
    const best = (text: string) => Math.min(time(text), time(text), time(text))
    // The short ones first, so that a rule that takes too long is noticed soon.
    for (const length of [LENGTH / 64, LENGTH]) {
      const fill = (unit: string) => unit.repeat(length / unit.length)
      const most = MOST_TIMES * Math.max(best(fill('Read about the forms. ')), SHORTEST)
      for (const unit of units)
        assert.ok(best(fill(unit)) <= most, `${length} bytes of ${JSON.stringify(unit)}`)
    }
  })

  test('a body of a thousand levels is read as far as pages show', () => {
    let body: unknown = 'We guarantee your visa.'
    for (let level = 0; level < 1000; level++) body = { content: [body] }
    assert.deepEqual(find(body), [])
  })
})
