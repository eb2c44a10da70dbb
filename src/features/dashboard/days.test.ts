import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hours } from '../../platform/clock.ts'
import { lastDays } from './store.server.ts'

suite('Calendar days of the office', () => {
  const lengthOf = ({ since, until }: { since: string; until: string }) =>
    (Date.parse(until) - Date.parse(since)) / hours(1)

  test('a day starts at midnight in the office’s time zone, wherever the server is', () => {
    const evening = new Date('2026-11-20T13:30:00Z')
    const [yesterday, today] = lastDays(evening, 2, 'Australia/Sydney')
    assert.deepEqual(today, {
      date: '2026-11-21',
      since: '2026-11-20T13:00:00.000Z',
      until: '2026-11-21T13:00:00.000Z',
    })
    assert.equal(yesterday?.until, today?.since)
    assert.equal(lastDays(evening, 1, 'Australia/Perth')[0]?.date, '2026-11-20')
    assert.equal(lastDays(evening, 1, 'Australia/Adelaide')[0]?.since, '2026-11-20T13:30:00.000Z')
  })

  test('a day has 23 hours when daylight saving starts and 25 when it ends', () => {
    const spring = lastDays(new Date('2026-10-05T00:00:00Z'), 3, 'Australia/Sydney')
    assert.deepEqual(spring.map(lengthOf), [24, 23, 24])
    const autumn = lastDays(new Date('2026-04-06T00:00:00Z'), 3, 'Australia/Sydney')
    assert.deepEqual(autumn.map(lengthOf), [24, 25, 24])
  })

  test('each day of a year starts when the day before it ends', () => {
    for (const zone of ['Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns']) {
      const year = lastDays(new Date('2026-12-31T12:00:00Z'), 365, zone)
      assert.equal(new Set(year.map(({ date }) => date)).size, 365, zone)
      for (const [at, day] of year.entries())
        assert.equal(day.until, year[at + 1]?.since ?? day.until, `${zone} ${day.date}`)
    }
  })
})
