import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { idsIn, readDefences, readTests } from '../scripts/defences.ts'

suite('The table of defences', () => {
  const promised = readDefences()
  const shown = new Set(readTests().flatMap(({ name }) => idsIn(name)))

  test('promises nothing that no test is named after', () => {
    assert.ok(promised.length > 100)
    assert.deepEqual(
      promised.filter(id => !shown.has(id)),
      [],
    )
  })

  test('has each id once, and every id that a test is named after', () => {
    assert.equal(new Set(promised).size, promised.length)
    assert.deepEqual(
      [...shown].filter(id => !promised.includes(id)),
      [],
    )
  })

  test('is read from names such as tests have', () => {
    assert.deepEqual(idsIn('sees everything (L3, M1)'), ['L3', 'M1'])
    assert.deepEqual(idsIn('reads: Password must be long (U6: Aa1!)'), ['U6'])
    assert.deepEqual(idsIn('stays for sixty minutes (idle)'), [])
    assert.deepEqual(idsIn('holds for two nodes (F16)'), [])
    assert.deepEqual(idsIn('waits (R2) and reads'), ['R2'])
  })
})
