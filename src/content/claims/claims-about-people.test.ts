import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { blocking, find } from '../../../tests/support/claim-finder.ts'
import { GONE_PERSON } from './finding.ts'

const agent = { name: 'Sam Rivers', title: 'Registered migration agent', registrationNumber: '1234567' }

interface Change {
  readonly name?: string
  readonly title?: string | null
  readonly registrationNumber?: string | null
  readonly languages?: readonly string[]
  readonly introduction?: readonly string[]
}

function member({ introduction = [], ...change }: Change) {
  const texts = introduction.map((text, at) => ({ id: `text-${at}`, text }))
  return { name: 'Mei Tan', title: null, registrationNumber: null, ...change, introduction: texts }
}

/** What blocks a site with these people. */
const stops = (...team: readonly Change[]) =>
  blocking(find({ agent, team: team.map(member) })).map(({ rule, path, level }) => [rule, path, level])

suite('Claims about people of the team', () => {
  test('somebody who is called an agent without a number is a stop, and one with a number is not', () => {
    const stop = ['registration-number', 'team.0.registrationNumber', 'stop']
    for (const title of [
      'Registered migration agent',
      'REGISTERED MIGRATION AGENT',
      'Migration agent',
      'Senior immigration agent and partner',
      'Registered adviser',
      'Reg\u200bistered mig\u00adration agent',
      'RMA',
    ]) {
      assert.deepEqual(stops({ title }), [stop], title)
      assert.deepEqual(stops({ title, registrationNumber: '7654321' }), [], title)
    }
    for (const text of [
      'Mei is a registered migration agent.',
      'She became an experienced migration agent in Perth.',
      'Her number is MARN 1111111.',
    ])
      assert.deepEqual(stops({ introduction: ['Mei answers first.', text] }), [stop], text)
  })

  test('nobody without a number is called an agent in another field, other characters or beside a word of help (found F4)', () => {
    const stop = ['registration-number', 'team.0.registrationNumber', 'stop']
    const changes: readonly Change[] = [
      { name: 'Mei Tan, registered migration agent' },
      { name: 'Mei Tan (MARN 1234567)' },
      { name: 'Mei Tan MARN1234567' },
      { languages: ['English', 'Registered migration agent'] },
      { languages: ['Registered migration', 'agent'] },
      { title: 'Client support, registered migration agent' },
      { title: 'Help desk and migration agent' },
      { title: 'Supports our clients as registered migration agent' },
      { title: 'Assistant to our migration agents, registered migration agent' },
      { title: 'Registration number 1234567' },
      { title: 'R\u0435gist\u0435red migr\u0430tion \u0430gent' },
      { title: 'Ｒegistered ｍigration ａgent' },
      { introduction: ['Registration number 1234567'] },
      { introduction: ['Registration no. 123 4567'] },
      { introduction: ['Mei is here for you. Her registration number is 1234567.'] },
      { introduction: ['Look her up: MARN: 1234567.'] },
      { introduction: ['M\u0410RN 1234567'] },
      { introduction: ['Mei is a r\u0435gistered migration agent.'] },
    ]
    const stopsOf = (change: Change) => stops(change).filter(([rule]) => rule === 'registration-number')
    for (const change of changes) {
      assert.deepEqual(stopsOf(change), [stop], JSON.stringify(change))
      assert.deepEqual(stopsOf({ ...change, registrationNumber: '7654321' }), [], JSON.stringify(change))
    }
  })

  test('a long text about somebody is read in a moment (found F4)', () => {
    const started = performance.now()
    for (const unit of [
      'registered ',
      'assistant to our ',
      'helps our registered ',
      'is a ',
      'as our the ',
      'registration number ',
      'registration number 1 ',
      'MARN ',
      '1 ',
      'a',
      'migration ',
      'supports the senior senior ',
      '\u0430',
    ]) {
      const text = unit.repeat(2000).slice(0, 2000)
      stops({ name: text, title: text, languages: [text, text], introduction: [text, text, text] })
    }
    assert.ok(performance.now() - started < 2000)
  })

  test('somebody who is no agent, or assists one, needs no number', () => {
    for (const title of [
      null,
      'Office manager',
      'Client support',
      'Interpreter',
      'Visa case manager',
      'Assistant to our registered migration agents',
      'Supports the principal registered migration agent',
      'Company registration number 123456789',
      'Assistant to the migration agent',
      'Case support for our migration agents',
    ])
      assert.deepEqual(stops({ title }), [], String(title))
    assert.deepEqual(stops({ name: 'Mei Tan', languages: ['English', 'Mandarin', 'Māori'] }), [])
    for (const text of [
      'Mei is not a registered migration agent.',
      'As assistant to our migration agent, Mei answers first.',
      'Mei helps our registered migration agent with documents.',
    ])
      assert.deepEqual(stops({ introduction: [text] }), [], text)
  })

  test('zeros, and the number of somebody else, are a stop', () => {
    assert.deepEqual(stops({ registrationNumber: '0000000' }).length, 1)
    assert.deepEqual(stops({ registrationNumber: '12345' }).length, 1)
    assert.deepEqual(stops({ registrationNumber: agent.registrationNumber }), [
      ['registration-number', 'team.0.registrationNumber', 'stop'],
    ])
    const twice = { registrationNumber: '7654321' }
    assert.deepEqual(
      stops(twice, { ...twice, name: 'Ravi' }).map(([, path]) => path),
      ['team.1.registrationNumber'],
    )
  })

  test('the agent of the sample, and what the sample says of them, is nobody of the team (found E3)', () => {
    assert.deepEqual(stops({ name: 'Alex Sample' }), [['other-agent', 'team.0.name', 'stop']])
    assert.deepEqual(stops({ introduction: ['Alex reads every enquiry.'] }), [
      ['other-agent', 'team.0.introduction.0.text', 'stop'],
    ])
  })

  test('a quote without a source is what a client said, and needs their consent', () => {
    const rules = (block: object) =>
      blocking(find({ blocks: [{ id: 'a', type: 'quote', text: 'They were kind.', ...block }] })).map(
        ({ rule, path, level }) => [rule, path, level],
      )
    assert.deepEqual(rules({ who: 'A client', source: null }), [['testimonial', 'blocks.0.text', 'stop']])
    assert.deepEqual(rules({ who: 'A client' }), [['testimonial', 'blocks.0.text', 'stop']])
    const source = { label: 'Hansard', url: 'https://www.aph.gov.au/' }
    assert.deepEqual(rules({ who: 'The minister', source }), [])
    assert.deepEqual(
      rules({ who: 'The minister', source, text: 'We guarantee your visa.' })[0]?.[0],
      'visa-promise',
    )
  })

  test('a quote with a source that is no public document asks for a reason, or for the consent (found F3)', () => {
    const found = (url: string, host = 'agency.test') => {
      const quote = {
        id: 'a',
        type: 'quote',
        text: 'They were kind.',
        who: 'Maria',
        source: { label: 'A', url },
      }
      return blocking(find({ blocks: [quote] }, { host })).map(({ rule, level, sentence }) => [
        ...[rule, level, sentence],
      ])
    }
    for (const url of [
      'https://www.aph.gov.au/',
      'https://immi.homeaffairs.gov.au/visas',
      'https://www.legislation.gov.au/F2021L01856',
      'https://www.austlii.edu.au/au/cases/',
      'https://www.vic.gov.au./',
    ])
      assert.deepEqual(found(url), [], url)
    for (const url of [
      'https://www.google.com/maps/reviews',
      'https://maps.google.com.au/',
      'https://g.page/agency',
      'https://m.facebook.com/agency',
      'https://www.productreview.com.au/agency',
      'https://au.trustpilot.com/agency',
      'https://www.yelp.com/biz/agency',
      'https://agency.test/what-people-say',
      'https://www.AGENCY.test./',
      'https://www.aph.gov.au@agency.test/',
      'https://',
      'agency',
    ])
      assert.deepEqual(found(url), [['testimonial', 'stop', 'Maria: They were kind.']], url)
    assert.deepEqual(found('https://agency.test/', 'www.agency.test')[0]?.[0], 'testimonial')
    for (const [url, host] of [
      ['https://www.news.example/story?of=gov.au', 'news.example'],
      ['https://gov.au.example/', 'gov.au.example'],
      ['https://notgov.au/', 'notgov.au'],
    ] as const)
      assert.deepEqual(found(url), [['quoted-words', 'reason', `Maria, ${host}: They were kind.`]], url)
  })

  test('a promise in an introduction is found as anywhere', () => {
    const [found] = stops({ introduction: ['With Mei your visa is guaranteed.'] })
    assert.deepEqual(found, ['visa-promise', 'team.0.introduction.0.text', 'stop'])
  })

  const people = [
    { id: 'principal', name: 'Sam Rivers', pages: ['Fees'] },
    { id: 'mei', name: 'Mei Tan', pages: ['Skills in Demand', 'New fees'] },
    { id: 'ravi', name: 'Ravi Nair', pages: [] },
  ]
  const gone = (body: object) =>
    find(body, { people }).flatMap(({ rule, path, sentence, level }) =>
      rule === GONE_PERSON ? [[path, sentence, level]] : [],
    )

  test('a page that names somebody who is not on the team says so before it is published', () => {
    assert.deepEqual(gone({ path: '/visas/a', agent: 'somebody' }), [['agent', 'somebody', 'hint']])
    for (const agent of ['mei', 'principal', null, undefined])
      assert.deepEqual(gone({ path: '/visas/a', agent }), [])
  })

  test('a site without somebody whom pages name says which pages, before it is published', () => {
    const team = [{ id: 'mei', ...member({}) }]
    assert.deepEqual(gone({ agent, team }), [])
    assert.deepEqual(gone({ agent, team: [] }), [['team', 'Mei Tan: Skills in Demand, New fees', 'hint']])
    assert.deepEqual(gone({ agent }), [['team', 'Mei Tan: Skills in Demand, New fees', 'hint']])
  })

  test('people of any shape are read without an error', () => {
    for (const team of [
      null,
      'x',
      1,
      {},
      [null, 1, 'x', [], { introduction: 'x' }, { introduction: [null] }],
    ])
      for (const principal of [null, 'x', [], agent])
        assert.ok(Array.isArray(find({ agent: principal, team }, { people })))
  })
})
