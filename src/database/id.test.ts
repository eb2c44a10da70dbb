import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../tests/support/properties.ts'
import { newId } from './id.ts'

suite('An id', () => {
  test('an id is a UUIDv7 that sorts as text by its time of creation', () => {
    const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    const property = fc.property(time, time, (one, other) => {
      const [first, second] = [newId(one), newId(other)]
      assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16), one.getTime())
      if (one.getTime() !== other.getTime()) assert.equal(first < second, one < other)
    })
    fc.assert(property)
  })

  test('an id is never issued twice', () => {
    const now = new Date()
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId(now))).size, 10_000)
  })
})
