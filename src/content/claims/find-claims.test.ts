import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  blocking,
  doc,
  find,
  heading,
  list,
  paragraph,
  rulesIn,
  rulesOf,
  run,
} from '../../../tests/support/claim-finder.ts'
import { claimsToFind } from '../../../tests/support/claim-sentences.ts'
import { nearMisses } from '../../../tests/support/near-misses.ts'
import { samplePages } from '../../sample/pages.server.ts'
import { sampleContent } from '../../sample/site.server.ts'
import { describedVisas } from '../visas.ts'
import { claimKey, subclassesOf } from './finding.ts'

suite('The claim guard', () => {
  for (const [rule, sentences] of Object.entries(claimsToFind))
    for (const sentence of sentences)
      test(`by the rule ${rule} it finds: ${sentence}`, () => assert.ok(rulesOf(sentence).includes(rule)))

  test('the table has sixty claims and sixty near misses at least', () => {
    assert.ok(new Set(Object.values(claimsToFind).flat()).size >= 60)
    assert.ok(new Set(nearMisses).size >= 60)
  })

  test('of sixty near misses it finds two at most', () => {
    const found = nearMisses.filter(sentence => rulesOf(sentence).length > 0)
    assert.ok(found.length <= nearMisses.length / 30, found.join('\n'))
  })

  test('a claim is found in a heading, in a list and across runs of bold text', () => {
    assert.deepEqual(rulesIn(heading('Guaranteed visas')), ['visa-promise'])
    assert.deepEqual(rulesIn(heading('What we do'), list('Forms', 'A guaranteed visa')), ['visa-promise'])
    assert.deepEqual(rulesIn(paragraph(run('We guar', { type: 'strong' }), run('antee your visa.'))), [
      'visa-promise',
    ])
  })

  test('a claim is found whatever characters that nobody sees are in its words', () => {
    for (const point of [0x81, 0x85, 0xad, 0x180e, 0x200b, 0x2065, 0xfff0, 0xfe0f, 0xe0001, 0xe0080])
      assert.deepEqual(
        rulesOf(`We guar${String.fromCodePoint(point)}antee your visa.`),
        ['visa-promise'],
        point.toString(16),
      )
  })

  test('a claim is found across a line break, which a page shows as a space', () => {
    for (const space of ['\n', '\r\n', '\t', '\u00a0', '\u2028'])
      assert.deepEqual(rulesIn(paragraph(run(`Our approval${space}rate is high.`))), ['success-rate'])
  })

  test('a short text is read with its heading, and with what follows it', () => {
    assert.deepEqual(rulesIn(heading('Your visa'), paragraph(run('Guaranteed.'))), ['visa-promise'])
    assert.deepEqual(rulesIn(paragraph(run('Guaranteed.')), paragraph(run('Your visa'))), ['visa-promise'])
    const slide = { title: 'A partner visa', description: 'Guaranteed.' }
    assert.deepEqual(
      blocking(find({ slides: [slide] })).map(({ path }) => path),
      ['slides.0.description'],
    )
    assert.deepEqual(blocking(find({ slides: [{ title: 'A partner visa' }, { title: 'Guaranteed.' }] })), [])
  })

  test('a list after a line that denies its items makes no claim, and one after another line does', () => {
    assert.deepEqual(rulesIn(paragraph(run('We never promise:')), list('a guaranteed visa')), [])
    assert.deepEqual(rulesIn(heading('What no agent may promise'), list('a guaranteed visa')), [])
    assert.deepEqual(rulesIn(heading('Do not wait'), list('A guaranteed visa')), ['visa-promise'])
    assert.deepEqual(rulesIn(paragraph(run('We never promise this.')), list('A guaranteed visa')), [
      'visa-promise',
    ])
  })

  test('a finding names its field, its sentence and the words', () => {
    const [finding, ...others] = find(
      doc(paragraph(run('We answer.')), paragraph(run('Hello. We guarantee your visa.'))),
    )
    assert.deepEqual(others, [])
    const { path, sentence, quote, level } = finding ?? assert.fail()
    assert.deepEqual(
      [path, sentence, quote, level],
      ['blocks.0.text.content.1', 'We guarantee your visa.', 'guarantee', 'stop'],
    )
  })

  test('the same sentence elsewhere is the same claim, and a changed one is another', () => {
    const keys = (text: string) => find(doc(paragraph(run(text)))).map(claimKey)
    const here = find({ title: 'We guarantee your visa.' }).map(claimKey)
    assert.deepEqual(keys('Hello. We guarantee your visa.'), here)
    assert.notDeepEqual(keys('We guarantee your visas.'), here)
  })

  test('a sentence of 25 words is short enough, and one of 26 gets a hint', () => {
    const words = (count: number) => `${'word '.repeat(count - 1)}end.`
    assert.deepEqual(find({ title: words(25) }), [])
    assert.deepEqual(
      find({ title: words(26) }).map(({ rule, level }) => [rule, level]),
      [['long-sentence', 'hint']],
    )
  })

  test('a link that says nothing and one that leads nowhere get a hint', () => {
    const link = (text: string, href: string) => paragraph(run(text, { type: 'link', attrs: { href } }))
    const rules = (text: string, href: string) =>
      find(doc(link(text, href)), { paths: new Set(['/fees']) }).map(({ rule }) => rule)
    assert.deepEqual(rules('what our work costs', '/fees?a=b#c'), [])
    assert.deepEqual(rules('Click here', '/fees'), ['unclear-link'])
    assert.deepEqual(rules('what our work costs', '/costs'), ['dead-link'])
    assert.deepEqual(rules('the register', 'https://elsewhere.test/costs'), [])
  })

  test('a document in another language gets no finding', () => {
    assert.deepEqual(find({ title: 'We guarantee your visa.' }, { language: 'zh-Hans' }), [])
  })

  test('no text of a rule says that a text complies', () => {
    const body = { agent: {}, testimonials: [{ quote: 'q' }], list: [...Object.values(claimsToFind).flat()] }
    for (const { why, suggestion = '', source } of find(body)) {
      assert.doesNotMatch(`${why} ${suggestion}`, /complian|complies/i)
      assert.ok(why && source)
    }
  })

  test('the samples have the claims of the specification and no other finding that blocks', () => {
    const { site, facts } = sampleContent
    const known = new Map([...facts, ...samplePages.facts].map(fact => [fact.name, fact]))
    const change = { facts: known, subclasses: subclassesOf(describedVisas(site)) }
    assert.deepEqual(
      blocking(find(site, change)).map(({ rule, path }) => [rule, path]),
      [
        ['registration-number', 'agent.registrationNumber'],
        ['testimonial', 'testimonials.0.quote'],
        ['testimonial', 'testimonials.1.quote'],
        ['testimonial', 'testimonials.2.quote'],
        ['success-rate', 'claims.0.value'],
        ['always-open', 'claims.1.value'],
      ],
    )
    for (const { path, body } of samplePages.documents(site))
      assert.deepEqual(blocking(find(body, change)), [], path)
  })
})
