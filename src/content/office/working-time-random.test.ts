import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { office, on, site } from '../../../tests/support/offices.ts'
import { hours, minutes } from '../../platform/clock.ts'
import type { Office } from './office.ts'
import { weekdays } from './office-hours.ts'
import { addWorkingTime, isOpen, workingTimeBetween } from './working-time.ts'

suite('Random office hours', () => {
  test('random hours agree with a count of every minute', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomFrom(seed)
      const at = randomOffice(random)
      const start = Date.UTC(2026, random(2) ? 3 : 9, 1 + random(3), random(24), random(60))
      const minutesOpen = listOpenMinutes(at, start)
      const from = new Date(start)
      const target = 1 + random(3000)
      const expected = minutesOpen[target - 1]
      const due = addWorkingTime(at, from, minutes(target))
      if (expected !== undefined) assert.equal(due?.getTime(), expected + minutes(1), `seed ${seed}`)
      const to = start + minutes(random(WEEK))
      const counted = minutesOpen.filter(minute => minute < to).length
      assert.equal(workingTimeBetween(at, from, new Date(to)), minutes(counted), `seed ${seed}`)
      const probe = start + minutes(random(WEEK))
      assert.equal(isOpen(at, new Date(probe)), minutesOpen.includes(probe), `seed ${seed}`)
    }
  })
})

/** Minutes. */
const WEEK = 7 * 24 * 60

/**
 * Each minute of a week in which the office is open. The office opens when a clock there first shows the opening time on
 * that date, or a later time, and closes likewise.
 */
function listOpenMinutes({ timeZone, week, holidays }: Office, start: number): number[] {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  const latest = new Map<string, number>()
  const open: number[] = []
  // From the day before, because what a clock has shown counts.
  for (let minute = start - hours(48); minute < start + minutes(WEEK); minute += minutes(1)) {
    const [date = '', time = ''] = format.format(minute).split(' ')
    const [hour = 0, rest = 0] = time.split(':').map(Number)
    const shown = Math.max(hours(hour) + minutes(rest), latest.get(date) ?? 0)
    latest.set(date, shown)
    const day = weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? 'Monday'
    const isIn = week[day].some(([from, to]) => from <= shown && shown < to)
    if (minute >= start && isIn && !holidays.has(date)) open.push(minute)
  }
  return open
}

/** A small generator, so that a failure can be repeated. @returns a whole number below the argument */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomOffice(random: (below: number) => number): Office {
  const time = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const entries = Array.from({ length: 1 + random(4) }, () => {
    const opens = random(1439)
    const closes = opens + 1 + random(1440 - opens)
    return [weekdays.filter(() => random(2) === 0), time(opens), time(closes), random(5) === 0] as const
  })
  const zones = [
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Europe/London',
    'America/St_Johns',
  ]
  const timeZone = zones[random(zones.length)] ?? 'UTC'
  const holidays = [on(`2026-04-0${1 + random(9)}`), on(`2026-10-0${1 + random(9)}`)]
  return office(entries, { company: { ...site.company, timeZone }, holidays })
}
