import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatShort, formatShortTime } from './dates.ts'

suite('Dates of the portal', () => {
  const now = new Date(2026, 10, 23, 22, 30)
  const at = (...parts: readonly [number, number, number, number, number]) => new Date(...parts).toISOString()

  test('a time of today is a time of day, and an earlier one a day as Australians write it (found E14)', () => {
    assert.equal(formatShort(at(2026, 10, 23, 22, 17), now), '10:17 pm')
    assert.equal(formatShort(at(2026, 10, 22, 22, 17), now), '22 Nov')
    assert.equal(formatShort(at(2025, 10, 23, 22, 17), now), '23 Nov 2025')
  })

  test('a line of the history has its time, whatever the day (found E11)', () => {
    assert.equal(formatShortTime(at(2026, 10, 23, 0, 5), now), 'Today 12:05 am')
    assert.equal(formatShortTime(at(2026, 10, 22, 22, 17), now), '22 Nov, 10:17 pm')
    assert.equal(formatShortTime(at(2025, 10, 23, 12, 0), now), '23 Nov 2025, 12:00 pm')
  })
})
