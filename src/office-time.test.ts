import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { describeOfficeTime, fromOfficeClock, toOfficeClock } from './office-time.ts'

const SYDNEY = 'Australia/Sydney'
const momentOf = (clock: string, zone = SYDNEY) => fromOfficeClock(clock, zone)?.toISOString()

suite('Times of the office', () => {
  test('a time is read and shown in the time zone of the office, with its name', () => {
    assert.equal(momentOf('2026-12-01T09:00'), '2026-11-30T22:00:00.000Z')
    assert.equal(momentOf('2026-07-01T09:00'), '2026-06-30T23:00:00.000Z')
    assert.equal(momentOf('2026-07-01T09:00', 'Australia/Perth'), '2026-07-01T01:00:00.000Z')
    assert.equal(describeOfficeTime('2026-11-30T22:00:00.000Z', SYDNEY), '1 Dec 2026, 9:00 am Sydney time')
    assert.equal(toOfficeClock(new Date('2026-11-30T22:00:00.000Z'), SYDNEY), '2026-12-01T09:00')
  })

  test('a time that comes twice is the first, and one that is skipped is an hour later', () => {
    assert.equal(momentOf('2026-04-05T02:30'), '2026-04-04T15:30:00.000Z')
    const skipped = momentOf('2026-10-04T02:30') ?? ''
    assert.equal(toOfficeClock(new Date(skipped), SYDNEY), '2026-10-04T03:30')
  })

  test('what is no date and time is no moment', () => {
    assert.equal(fromOfficeClock('T09:00', SYDNEY), null)
  })
})
