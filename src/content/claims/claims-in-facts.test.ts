import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { blocking, doc, find, paragraph, rulesIn, run } from '../../../tests/support/claim-finder.ts'
import { sampleContent } from '../../sample/site.server.ts'

suite('Claims and facts', () => {
  test('a fact is read as the words that it says, in a sentence and under a label', () => {
    const factOf = (value: string) => ({
      facts: new Map([
        [
          'certainty',
          {
            name: 'certainty',
            value,
            unit: '',
            asAt: '2026-07-01',
            source: { label: 'A source', url: 'https://example.com' },
            reviewBy: '2027-07-01',
            endsOn: null,
          },
        ],
      ]),
    })
    const named = { type: 'fact', attrs: { name: 'certainty' } }
    const sentence = doc(paragraph(run('Your visa is '), named, run(' if you write to us.')))
    const figure = { figures: [{ id: 'a', label: 'Your visa', fact: 'certainty' }] }
    for (const body of [sentence, figure]) {
      const rules = (value: string) => blocking(find(body, factOf(value))).map(({ rule }) => rule)
      assert.deepEqual(rules('guaran\u00ADteed'), ['visa-promise'])
      assert.deepEqual(rules('not guaranteed'), [])
      assert.deepEqual(rules('65 points'), [])
    }
    const [finding] = find(sentence, factOf('guaranteed'))
    assert.equal(finding?.sentence, 'Your visa is [certainty] if you write to us.')
  })

  test('a fact is found the day after its review is due, and the day after its end', () => {
    const { facts } = sampleContent
    const [fact] = facts
    assert.ok(fact)
    const rules = (today: string, endsOn: string | null = null) =>
      find(
        { figures: [{ id: 'f', label: 'Pass mark', fact: fact.name }] },
        {
          today,
          facts: new Map([[fact.name, { ...fact, endsOn }]]),
        },
      ).map(({ rule }) => rule)
    assert.deepEqual(rules(fact.reviewBy), [])
    assert.deepEqual(rules('2027-07-02'), ['fact-past-review'])
    assert.deepEqual(rules('2026-12-31', '2026-12-31'), [])
    assert.deepEqual(rules('2027-01-01', '2026-12-31'), ['fact-ended'])
  })

  test('a number in a fact is no finding, and the same number in a sentence is', () => {
    const fact = { type: 'fact', attrs: { name: 'pass-mark' } }
    assert.deepEqual(rulesIn(paragraph(run('You need '), fact, run('.'))), [])
    assert.deepEqual(rulesIn(paragraph(run('You need 65 points.'))), ['number-outside-fact'])
    assert.deepEqual(rulesIn(paragraph(run('You need \uE00065 points\uE001.'))), ['number-outside-fact'])
  })
})
