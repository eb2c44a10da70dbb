import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { claimsToFind } from '../../../tests/support/claim-sentences.ts'
import { nearMisses } from '../../../tests/support/near-misses.ts'
import { firstSite } from '../first-site.server.ts'
import { sampleContent } from '../sample.server.ts'
import { samplePages } from '../sample-pages.server.ts'
import { subclassesOf } from './claim-context.ts'
import { findClaims } from './find-claims.ts'
import { type ClaimContext, claimKey, type Finding } from './finding.ts'
import { record } from './overrides.ts'
import { overridesByClaim } from './samples.ts'

const context: ClaimContext = {
  language: 'en-AU',
  today: '2026-12-01',
  facts: new Map(),
  subclasses: new Map([
    ['188', 'closed'],
    ['482', 'open'],
    ['888', 'open'],
  ]),
  paths: null,
}

const find = (body: unknown, change: Partial<ClaimContext> = {}) =>
  findClaims(body, { ...context, ...change })
const blocking = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'hint')
/** The rules that block and that a text breaks. */
const rulesOf = (text: string) => blocking(find({ description: text })).map(({ rule }) => rule)
const run = (text: string, ...marks: readonly object[]) => ({ type: 'text', text, marks })
const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content })
const heading = (text: string) => ({ type: 'heading', attrs: { level: 2 }, content: [run(text)] })
const list = (...items: readonly string[]) => ({
  type: 'bullet_list',
  content: items.map(text => ({ type: 'list_item', content: [paragraph(run(text))] })),
})
const doc = (...content: readonly object[]) => ({
  blocks: [{ id: 'text-1', type: 'text', text: { type: 'doc', content } }],
})
const rulesIn = (...content: readonly object[]) => blocking(find(doc(...content))).map(({ rule }) => rule)

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

  test('the cells of a table are read, whatever their columns are called', () => {
    const columns = [
      { id: 'work', label: 'Work' },
      { id: 'url', label: 'Result' },
      { id: 'date', label: 'Fee' },
    ]
    const cells = {
      work: 'Opinion',
      url: 'We guarantee your visa.',
      date: 'AUD 000',
      gone: 'Approval rate: 95%',
    }
    const grid = { columns, rows: [{ id: 'a', cells }] }
    const table = (description: string) => ({ description, blocks: [{ id: 't', type: 'table', grid }] })
    const placesIn = (body: object) => blocking(find(body)).map(({ rule, path }) => [rule, path])
    const promise = ['visa-promise', 'blocks.0.grid.rows.0.cells.url']
    assert.deepEqual(placesIn(table('Fees')), [
      promise,
      ['incomplete-fee', 'blocks.0.grid.rows.0.cells.date'],
    ])
    columns.splice(2, 1, { id: 'date', label: 'Fee, GST included' })
    assert.deepEqual(placesIn(table('Total fees from July 2026')), [promise])
  })

  test('a number in a table is read with the headings of its row and its column', () => {
    const columns = [
      { id: 'what', label: 'What' },
      { id: 'us', label: 'Here' },
    ]
    const grid = { columns, rows: [{ id: 'a', cells: { what: 'Visa approval rate', us: '95%' } }] }
    assert.ok(find({ grid }).some(({ path, level }) => level === 'stop' && path === 'grid.rows.0.cells.us'))
  })

  test('words in a table are read with the headings of their row and their column', () => {
    const rulesFor = (what: string, us: string, label = 'With us') => {
      const columns = [
        { id: 'what', label: 'What' },
        { id: 'us', label },
      ]
      const rows = [
        { id: 'a', cells: { what: 'Forms', us: 'Checked' } },
        { id: 'b', cells: { what, us } },
      ]
      return blocking(find({ grid: { columns, rows } })).map(({ rule, path }) => [rule, path])
    }
    assert.deepEqual(rulesFor('Skilled visa', 'Guaranteed'), [['visa-promise', 'grid.rows.1.cells.us']])
    assert.deepEqual(rulesFor('Outcome', 'Guaranteed', 'Your visa'), [
      ['visa-promise', 'grid.rows.1.cells.us'],
    ])
    assert.deepEqual(rulesFor('Outcome', 'A guaranteed visa', 'What nobody may promise'), [])
    assert.deepEqual(rulesFor('Skilled visa', 'Not guaranteed'), [])
  })

  test('a claim is found in a link, a source and the smallest text of the footer, where a number is none', () => {
    const [claim, number] = ['Guaranteed visas', 'Form 956, 65 points']
    const fields = (text: string) => ({
      links: [{ id: 'a', label: text, url: 'https://example.com/guaranteed-visas' }],
      more: { label: text, url: 'https://example.com' },
      source: { label: text, url: 'https://example.com' },
      company: { address: [text], phone: text, chat: { network: text, handle: text } },
      agent: { registrationNumber: '1234567', languages: [text] },
      version: text,
      blocks: [{ id: 'b', type: 'button', text: 'Read about fees', address: '/guaranteed-visas' }],
    })
    assert.deepEqual(
      blocking(find(fields(claim))).map(({ path }) => path),
      [
        'links.0.label',
        'more.label',
        'source.label',
        'company.address.0',
        'company.phone',
        'company.chat.network',
        'company.chat.handle',
        'agent.languages.0',
        'version',
      ],
    )
    assert.deepEqual(find(fields(number)), [])
  })

  test('a closed subclass is found on a page that says it is open', () => {
    const page = {
      subclasses: [{ id: 's', name: 'Business', numbers: ['188'] }],
      programme: { status: 'open' },
    }
    assert.deepEqual(
      blocking(find(page)).map(({ rule, path }) => [rule, path]),
      [['closed-subclass', 'subclasses.0.numbers']],
    )
    assert.deepEqual(find({ ...page, programme: { status: 'closed' } }), [])
  })

  test('an agent without a registration number and each testimonial are found', () => {
    const testimonials = [{ quote: 'They were clear.', name: 'Jo', visaType: 'Partner visa' }]
    const body = { agent: { name: 'Alex', registrationNumber: '' }, testimonials }
    assert.deepEqual(
      blocking(find(body)).map(({ rule, sentence }) => [rule, sentence]),
      [
        ['registration-number', 'Alex:'],
        ['testimonial', 'Jo – Partner visa: They were clear.'],
      ],
    )
    assert.deepEqual(find({ agent: { name: 'Alex', registrationNumber: '1234567' } }), [])
  })

  test('a testimonial for another visa needs its consent again, and one recorded without a visa holds on', () => {
    const findingFor = (visaType: string) => {
      const [finding] = find({ testimonials: [{ quote: 'They were clear.', name: 'Jo', visaType }] })
      return finding ?? assert.fail()
    }
    const by = { author: 'Robin', at: '2026-01-01T00:00:00.000Z' }
    const partner = findingFor('Partner visa')
    const recorded = record(partner, 'In file 12', by)
    const old = { ...recorded, sentence: 'Jo: They were clear.' }
    assert.equal(overridesByClaim([recorded])(partner), recorded)
    assert.equal(overridesByClaim([recorded])(findingFor('Student visa')), undefined)
    assert.equal(overridesByClaim([old])(partner), old)
  })

  test('a fact is found the day after its review is due, and the day after its end', () => {
    const { facts } = firstSite(sampleContent)
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
    const { site, facts } = firstSite(sampleContent)
    const known = new Map([...facts, ...samplePages.facts].map(fact => [fact.name, fact]))
    const change = { facts: known, subclasses: subclassesOf(site) }
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
