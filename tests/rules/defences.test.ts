import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { idsIn, readDefences, readTests, tiersOf } from '../../scripts/defences.ts'

suite('Table of defences', () => {
  const promised = readDefences().map(({ id }) => id)
  const tests = readTests()
  const shown = new Set(tests.flatMap(({ name }) => idsIn(name)))

  test('every promise in docs/defences.md has a test with its id', () => {
    assert.ok(promised.length > 100)
    assert.deepEqual(
      promised.filter(id => !shown.has(id)),
      [],
    )
  })

  test('docs/defences.md has each id once, and every id that a test title ends in', () => {
    assert.equal(new Set(promised).size, promised.length)
    assert.deepEqual(
      [...shown].filter(id => !promised.includes(id)),
      [],
    )
  })

  test('docs/defences.md names the tiers of the check that guard each promise, or says why only tier 4 does', () => {
    const wrong = readDefences().flatMap(({ id, tiers }) => {
      const found = tiersOf(id, tests)
      const isRight = found === '' ? /^4, because .{20}/.test(tiers) : tiers === found
      return isRight ? [] : [`${id}: ${tiers} should be ${found}`]
    })
    assert.deepEqual(wrong, [])
  })

  test('the ids of defences are read from titles such as tests have', () => {
    assert.deepEqual(idsIn('sees everything (L3, M1)'), ['L3', 'M1'])
    assert.deepEqual(idsIn('reads: Password must be long (U6: Aa1!)'), ['U6'])
    assert.deepEqual(idsIn('stays for sixty minutes (idle)'), [])
    assert.deepEqual(idsIn('holds for two nodes (F16)'), [])
    assert.deepEqual(idsIn('waits (R2) and reads'), ['R2'])
  })
})
