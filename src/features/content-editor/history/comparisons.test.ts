import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Compared, describeChanges, listComparisons } from './comparisons.ts'

const versions = [{ number: 3 }, { number: 2 }, { number: 1 }]
const none: Compared = { chosen: null, live: null, review: null, versions }
const list = (compared: Partial<Compared>) =>
  listComparisons({ ...none, ...compared }).map(
    ({ label, before, after }) => `${label}: ${before} → ${after ?? 'draft'}`,
  )

suite('What a version is compared with', () => {
  test('a version in review is compared with what is live, whatever was asked about before', () => {
    assert.deepEqual(list({ chosen: 3, live: { number: 1 }, review: 3 }), [
      'Live: 1 → 3',
      'Version 2: 2 → 3',
      'Draft: 3 → draft',
    ])
  })

  test('while nothing is live, all of a version in review is new', () => {
    assert.equal(list({ chosen: 3, review: 3 })[0], 'Live: null → 3')
    assert.equal(list({ chosen: 1, review: 1, versions: [{ number: 1 }] })[0], 'Live: null → 1')
  })

  test('every other version can be compared with what is live', () => {
    assert.deepEqual(list({ chosen: 3 }), ['Version 2: 2 → 3', 'Draft: 3 → draft', 'Live: null → 3'])
    assert.deepEqual(list({ chosen: 1, live: { number: 2 } }), ['Draft: 1 → draft', 'Live: 2 → 1'])
    assert.deepEqual(list({ chosen: 2, live: { number: 2 } }), ['Version 1: 1 → 2', 'Draft: 2 → draft'])
  })

  test('the one before is not offered twice when it is live', () => {
    assert.deepEqual(list({ chosen: 2, live: { number: 1 } }), ['Live: 1 → 2', 'Draft: 2 → draft'])
  })

  test('the draft is compared with what is live, or else with the newest version', () => {
    assert.deepEqual(list({ live: { number: 2 } }), ['Live: 2 → draft'])
    assert.deepEqual(list({}), ['Live: 3 → draft'])
    assert.deepEqual(list({ versions: [] }), [])
  })

  test('what has changed is said in a few words, which the history then shows beside time and person (found E11)', () => {
    const before = { title: 'Fees', description: 'What it costs.', path: '/fees', blocks: [] }
    assert.equal(describeChanges('page', before, before), '')
    assert.equal(describeChanges('page', before, { ...before, title: 'Our fees' }), 'Title')
    const all = {
      title: 'Our fees',
      description: 'Prices.',
      path: '/prices',
      blocks: [{ id: 'a', type: 'text' }],
    }
    assert.equal(describeChanges('page', before, all), 'Title, Summary, Address and 1 more')
  })
})
