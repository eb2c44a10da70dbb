import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { blocking, find } from '../../../tests/support/claim-finder.ts'
import { record } from './finding.ts'
import { overridesByClaim } from './samples.ts'

suite('Claims in tables and other fields', () => {
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
    const nobody = { name: null, title: null, heading: null, introduction: [], founderProfile: [] }
    assert.deepEqual(find({ agent: { ...nobody, registrationNumber: null } }), [])
    for (const named of [
      { heading: 'Mei Tanaka' },
      { title: 'Agent' },
      { introduction: [{ text: 'I am Mei.' }] },
    ])
      assert.equal(find({ agent: { ...nobody, ...named, registrationNumber: null } }).length, 1)
    assert.equal(find({ agent: { name: 'Alex', registrationNumber: null } }).length, 1)
  })

  test('a story of the sample is found once the agent has another name (found E3)', () => {
    const story = (text: string) => ({ founderProfile: [{ id: 'profile-1', text }] })
    const agentOf = (name: string | null, text: string) => ({
      agent: { name, registrationNumber: '1234567', ...story(text) },
    })
    const text = 'Alex Sample founded this office. Alex answers for it.'
    const [finding, ...others] = find(agentOf('Mei Tanaka', text))
    assert.partialDeepStrictEqual(finding, {
      rule: 'other-agent',
      level: 'stop',
      path: 'agent.founderProfile.0.text',
      quote: 'Alex Sample',
    })
    assert.deepEqual(others, [])
    assert.deepEqual(find(agentOf('Alex Sample', text)), [])
    assert.deepEqual(find(agentOf('Alexander Nguyen', text)), [])
    assert.deepEqual(find(agentOf('Mei Tanaka', 'Alex, who works with me, speaks Hindi.')), [])
    assert.deepEqual(find(agentOf('Mei Tanaka', 'Mei founded this office.')), [])
  })

  test('a testimonial for another visa needs its consent again, and one recorded without a visa holds on', () => {
    const findingFor = (visaType: string) => {
      const [finding] = find({ testimonials: [{ quote: 'They were clear.', name: 'Jo', visaType }] })
      return finding ?? assert.fail()
    }
    const by = { author: 'Robin', at: '2026-01-01T00:00:00.000Z' }
    const partner = findingFor('Partner visa')
    const recorded = record(partner, 'In file 12', by, new Map())
    const old = { ...recorded, sentence: 'Jo: They were clear.' }
    assert.equal(overridesByClaim([recorded])(partner), recorded)
    assert.equal(overridesByClaim([recorded])(findingFor('Student visa')), undefined)
    assert.equal(overridesByClaim([old])(partner), old)
  })
})
