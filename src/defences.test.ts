import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { idsIn, readDefences, readTests } from '../scripts/defences.ts'

suite('Table of defences', () => {
  const promised = readDefences()
  const shown = new Set(readTests().flatMap(({ name }) => idsIn(name)))

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

  test('the ids of defences are read from titles such as tests have', () => {
    assert.deepEqual(idsIn('sees everything (L3, M1)'), ['L3', 'M1'])
    assert.deepEqual(idsIn('reads: Password must be long (U6: Aa1!)'), ['U6'])
    assert.deepEqual(idsIn('stays for sixty minutes (idle)'), [])
    assert.deepEqual(idsIn('holds for two nodes (F16)'), [])
    assert.deepEqual(idsIn('waits (R2) and reads'), ['R2'])
  })
})
