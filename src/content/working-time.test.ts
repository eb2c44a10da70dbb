import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hours, minutes } from '../clock.ts'
import { firstSite } from './first-site.server.ts'
import { type Office, officeOf } from './office.ts'
import { sampleContent } from './sample.server.ts'
import type { SiteBody } from './site-body.ts'
import { type Weekday, weekdays } from './weekdays.ts'
import { addWorkingTime, answerBy, isOpen, opensNext, openUntil, workingTimeBetween } from './working-time.ts'

const { site } = firstSite(sampleContent)
const workdays = weekdays.slice(0, 5)

/** An office in Sydney. @param entries days, opening and closing time, and whether by appointment */
function office(
  entries: readonly (readonly [readonly Weekday[], string, string, boolean?])[],
  more: Partial<SiteBody> = {},
): Office {
  const officeHours = entries.map(([days, opens, closes, byAppointment = false], at) => {
    return { id: `hours-${at}`, days: [...days], opens, closes, byAppointment }
  })
  return officeOf({ ...site, officeHours, ...more })
}

const on = (date: string, states?: SiteBody['holidays'][number]['states']) => {
  return { id: date, date, name: 'Holiday', ...(states && { states }) }
}

/** Monday to Friday 9 to 6, and Saturday 10 to 2 by appointment. */
const usual = officeOf(site)
const split = office([
  [workdays, '09:00', '12:30'],
  [workdays, '13:30', '17:00'],
])
const late = office([
  [['Friday'], '18:00', '24:00'],
  [['Saturday'], '00:00', '02:00'],
])
const night = office([[['Sunday'], '01:00', '04:00']])
const always = office([[weekdays, '00:00', '24:00']])
const overlapping = office([
  [workdays, '09:00', '15:00'],
  [['Monday'], '12:00', '20:00'],
  [['Monday'], '10:00', '11:00'],
])
const atGap = office([[['Sunday'], '02:30', '03:30']])
const summer = office([[workdays, '09:00', '18:00']], {
  holidays: [on('2026-12-25'), on('2026-12-26'), on('2026-12-28'), on('2027-01-01'), on('2027-01-26')],
})
const easter = office([[workdays, '09:00', '18:00']], { holidays: [on('2026-04-03'), on('2026-04-06')] })
const cup = [on('2026-11-03', ['VIC']), on('2026-12-25', [])]
const inSydney = office([[workdays, '09:00', '18:00']], { holidays: cup, state: 'NSW' })
const inMelbourne = office([[workdays, '09:00', '18:00']], { holidays: cup, state: 'VIC' })
const nowhere = office([[workdays, '09:00', '18:00']], { holidays: cup, state: null })
const perth = office([[workdays, '09:00', '17:00']], {
  company: { ...site.company, timeZone: 'Australia/Perth' },
})
const lordHowe = office([[['Sunday'], '01:00', '03:00']], {
  company: { ...site.company, timeZone: 'Australia/Lord_Howe' },
})
const none = office([])
const byAppointmentOnly = office([[weekdays, '09:00', '18:00', true]])

/** Office, start, hours, and the answer; worked out by hand. */
const additions: readonly (readonly [string, Office, string, number, string | null])[] = [
  ['within a day', usual, '2026-11-23T09:30+11:00', 8, '2026-11-23T17:30+11:00'],
  ['to the minute at which it closes', usual, '2026-11-23T10:00+11:00', 8, '2026-11-23T18:00+11:00'],
  ['a minute after that', usual, '2026-11-23T10:01+11:00', 8, '2026-11-24T09:01+11:00'],
  ['from the minute at which it opens', usual, '2026-11-23T09:00+11:00', 8, '2026-11-23T17:00+11:00'],
  ['from before it opens', usual, '2026-11-23T03:15+11:00', 8, '2026-11-23T17:00+11:00'],
  ['from the minute at which it closes', usual, '2026-11-23T18:00+11:00', 8, '2026-11-24T17:00+11:00'],
  ['from a minute before it closes', usual, '2026-11-23T17:59+11:00', 8, '2026-11-24T16:59+11:00'],
  ['from midnight', usual, '2026-11-24T00:00+11:00', 8, '2026-11-24T17:00+11:00'],
  ['from a second before midnight', usual, '2026-11-23T23:59:59+11:00', 8, '2026-11-24T17:00+11:00'],
  ['over the night', usual, '2026-11-23T15:00+11:00', 8, '2026-11-24T14:00+11:00'],
  ['over a weekend', usual, '2026-11-27T15:00+11:00', 8, '2026-11-30T14:00+11:00'],
  ['from a Saturday by appointment', usual, '2026-11-28T11:00+11:00', 8, '2026-11-30T17:00+11:00'],
  ['from a Sunday', usual, '2026-11-29T23:00+11:00', 8, '2026-11-30T17:00+11:00'],
  ['more than a day', usual, '2026-11-23T12:00+11:00', 20, '2026-11-25T14:00+11:00'],
  ['a whole week', usual, '2026-11-23T09:00+11:00', 45, '2026-11-27T18:00+11:00'],
  ['a week and a quarter of an hour', usual, '2026-11-23T09:00+11:00', 45.25, '2026-11-30T09:15+11:00'],
  ['a quarter of an hour', usual, '2026-11-23T17:50+11:00', 0.25, '2026-11-24T09:05+11:00'],
  ['seconds count', usual, '2026-11-23T09:00:30+11:00', 1, '2026-11-23T10:00:30+11:00'],
  ['into a new month', usual, '2026-11-30T17:00+11:00', 8, '2026-12-01T16:00+11:00'],
  ['on a leap day', usual, '2028-02-28T15:00+11:00', 8, '2028-02-29T14:00+11:00'],
  [
    'a visitor who writes in Kathmandu in the evening',
    usual,
    '2026-11-23T20:00+05:45',
    8,
    '2026-11-24T17:00+11:00',
  ],
  [
    'a visitor who writes in Kathmandu in the morning',
    usual,
    '2026-11-23T07:45+05:45',
    8,
    '2026-11-24T06:45+05:45',
  ],
  [
    'a visitor in Kathmandu on Sunday, when Sydney has Monday',
    usual,
    '2026-11-22T20:00+05:45',
    8,
    '2026-11-23T11:45+05:45',
  ],
  [
    'a visitor in Los Angeles on Sunday afternoon',
    usual,
    '2026-11-22T14:00-08:00',
    8,
    '2026-11-22T22:00-08:00',
  ],
  ['a visitor in Auckland before it opens', usual, '2026-11-23T10:30+13:00', 8, '2026-11-23T19:00+13:00'],
  ['over the weekend on which clocks go back', usual, '2026-04-03T17:00+11:00', 8, '2026-04-06T16:00+10:00'],
  [
    'over the weekend on which clocks go forward',
    usual,
    '2026-10-02T17:00+10:00',
    8,
    '2026-10-05T16:00+11:00',
  ],
  ['on the night on which clocks go forward', night, '2026-10-04T00:00+10:00', 2, '2026-10-04T04:00+11:00'],
  ['one hour of that night', night, '2026-10-04T01:30+10:00', 1, '2026-10-04T03:30+11:00'],
  ['longer than that night', night, '2026-10-04T00:00+10:00', 3, '2026-10-11T02:00+11:00'],
  ['on the night on which clocks go back', night, '2026-04-05T00:00+11:00', 4, '2026-04-05T04:00+10:00'],
  [
    'until the hour that comes twice, the first time',
    night,
    '2026-04-05T01:00+11:00',
    1.5,
    '2026-04-05T02:30+11:00',
  ],
  [
    'until the hour that comes twice, the second time',
    night,
    '2026-04-05T01:00+11:00',
    2.5,
    '2026-04-05T02:30+10:00',
  ],
  ['from an opening time that is skipped', atGap, '2026-10-04T00:00+10:00', 0.5, '2026-10-04T03:30+11:00'],
  [
    'the half hour by which Lord Howe Island goes forward',
    lordHowe,
    '2026-10-04T00:00+10:30',
    1.5,
    '2026-10-04T03:00+11:00',
  ],
  [
    'the half hour by which Lord Howe Island goes back',
    lordHowe,
    '2026-04-05T00:00+11:00',
    2.5,
    '2026-04-05T03:00+10:30',
  ],
  ['Perth does not change its clocks', perth, '2026-10-02T16:00+08:00', 8, '2026-10-05T16:00+08:00'],
  ['into the lunch break', split, '2026-11-23T09:00+11:00', 3.5, '2026-11-23T12:30+11:00'],
  ['over the lunch break', split, '2026-11-23T09:00+11:00', 3.75, '2026-11-23T13:45+11:00'],
  ['from within the lunch break', split, '2026-11-23T13:00+11:00', 1, '2026-11-23T14:30+11:00'],
  ['a split day and an hour', split, '2026-11-23T09:00+11:00', 8, '2026-11-24T10:00+11:00'],
  ['until 24:00', late, '2026-11-27T18:00+11:00', 6, '2026-11-28T00:00+11:00'],
  ['past 24:00', late, '2026-11-27T18:00+11:00', 7, '2026-11-28T01:00+11:00'],
  ['from a late evening to the next one', late, '2026-11-28T01:00+11:00', 2, '2026-12-04T19:00+11:00'],
  ['around the clock', always, '2026-11-28T13:13+11:00', 50, '2026-11-30T15:13+11:00'],
  ['around the clock while it goes forward', always, '2026-10-03T12:00+10:00', 24, '2026-10-04T13:00+11:00'],
  ['around the clock while it goes back', always, '2026-04-04T12:00+11:00', 24, '2026-04-05T11:00+10:00'],
  ['hours that overlap count once', overlapping, '2026-11-23T09:00+11:00', 11, '2026-11-23T20:00+11:00'],
  ['after hours that overlap', overlapping, '2026-11-23T09:00+11:00', 12, '2026-11-24T10:00+11:00'],
  ['over Christmas', summer, '2026-12-24T15:00+11:00', 8, '2026-12-29T14:00+11:00'],
  ['from Christmas Day', summer, '2026-12-25T10:00+11:00', 8, '2026-12-29T17:00+11:00'],
  ['over the new year', summer, '2026-12-31T12:00+11:00', 8, '2027-01-04T11:00+11:00'],
  ['a holiday in the middle of a week', summer, '2027-01-25T17:30+11:00', 8, '2027-01-27T16:30+11:00'],
  ['over Easter, on which clocks go back', easter, '2026-04-02T16:00+11:00', 8, '2026-04-07T15:00+10:00'],
  ['a holiday of another state is none', inSydney, '2026-11-03T09:00+11:00', 8, '2026-11-03T17:00+11:00'],
  [
    'a holiday of the state of the office',
    inMelbourne,
    '2026-11-03T09:00+11:00',
    8,
    '2026-11-04T17:00+11:00',
  ],
  [
    'an office without a state keeps each holiday',
    nowhere,
    '2026-11-03T09:00+11:00',
    8,
    '2026-11-04T17:00+11:00',
  ],
  [
    'a holiday without a state is one everywhere',
    inSydney,
    '2026-12-24T17:00+11:00',
    8,
    '2026-12-28T16:00+11:00',
  ],
  ['no hours at all', none, '2026-11-23T09:00+11:00', 8, null],
  ['hours by appointment only', byAppointmentOnly, '2026-11-23T09:00+11:00', 8, null],
  ['nothing is due at once while it is open', usual, '2026-11-23T09:30+11:00', 0, '2026-11-23T09:30+11:00'],
]

/** Office, instant, until when it is open, and when it opens next. */
const openings: readonly (readonly [string, Office, string, string | null, string | null])[] = [
  ['at noon', usual, '2026-11-23T12:00+11:00', '2026-11-23T18:00+11:00', '2026-11-24T09:00+11:00'],
  ['as it opens', usual, '2026-11-23T09:00+11:00', '2026-11-23T18:00+11:00', '2026-11-24T09:00+11:00'],
  ['before it opens', usual, '2026-11-23T08:59+11:00', null, '2026-11-23T09:00+11:00'],
  ['as it closes', usual, '2026-11-27T18:00+11:00', null, '2026-11-30T09:00+11:00'],
  ['on a Saturday by appointment', usual, '2026-11-28T11:00+11:00', null, '2026-11-30T09:00+11:00'],
  [
    'before a lunch break',
    split,
    '2026-11-23T12:00+11:00',
    '2026-11-23T12:30+11:00',
    '2026-11-23T13:30+11:00',
  ],
  ['across midnight', late, '2026-11-27T23:00+11:00', '2026-11-28T02:00+11:00', '2026-12-04T18:00+11:00'],
  ['on a holiday', summer, '2027-01-26T12:00+11:00', null, '2027-01-27T09:00+11:00'],
  [
    'in the hour that comes twice',
    night,
    '2026-04-05T02:30+10:00',
    '2026-04-05T04:00+10:00',
    '2026-04-12T01:00+10:00',
  ],
  ['without hours', none, '2026-11-23T12:00+11:00', null, null],
]

suite('Office hours', () => {
  test('there are at least sixty cases by hand', () =>
    assert.ok(additions.length >= 60, `${additions.length}`))

  for (const [title, at, from, time, answer] of additions)
    test(`office time is added: ${title}`, () => {
      const due = addWorkingTime(at, new Date(from), hours(time))
      assert.equal(due?.toISOString(), answer === null ? undefined : new Date(answer).toISOString())
      if (due) assert.equal(workingTimeBetween(at, new Date(from), due), hours(time))
    })

  for (const [title, at, instant, until, next] of openings)
    test(`the office says until when it is open, or when it opens: ${title}`, () => {
      const now = new Date(instant)
      assert.equal(openUntil(at, now)?.getTime(), until === null ? undefined : Date.parse(until))
      assert.equal(opensNext(at, now)?.getTime(), next === null ? undefined : Date.parse(next))
      assert.equal(isOpen(at, now), until !== null)
    })

  test('time between two instants is counted within office hours only', () => {
    const between = (at: Office, from: string, to: string) =>
      workingTimeBetween(at, new Date(from), new Date(to)) / hours(1)
    assert.equal(between(usual, '2026-11-23T10:00+11:00', '2026-11-23T11:30+11:00'), 1.5)
    assert.equal(between(usual, '2026-11-20T17:00+11:00', '2026-11-23T10:00+11:00'), 2)
    assert.equal(between(usual, '2026-11-21T09:00+11:00', '2026-11-22T23:00+11:00'), 0)
    assert.equal(between(usual, '2026-11-23T11:00+11:00', '2026-11-23T10:00+11:00'), 0)
    assert.equal(between(summer, '2026-12-24T17:00+11:00', '2026-12-29T10:00+11:00'), 2)
    assert.equal(between(usual, '2026-01-01T00:00+11:00', '2027-01-01T00:00+11:00'), 261 * 9)
    assert.equal(between(none, '2026-01-01T00:00+11:00', '2027-01-01T00:00+11:00'), 0)
  })

  test('an answer is promised by the target of the site, by eight hours without one, and by nothing when it is null', () => {
    const now = new Date('2026-11-23T09:00+11:00')
    const by = (replyHours?: number | null) => {
      const { replyHours: _, ...rest } = site
      return answerBy(replyHours === undefined ? rest : { ...rest, replyHours }, now)?.toISOString()
    }
    assert.equal(by(), '2026-11-23T06:00:00.000Z')
    assert.equal(by(2), '2026-11-23T00:00:00.000Z')
    assert.equal(by(null), undefined)
    assert.equal(answerBy({ ...site, officeHours: [] }, now), null)
  })

  test('hours that never come end the search', () => {
    const holidays = Array.from({ length: 200 }, (_, day) =>
      on(new Date(Date.UTC(2026, 10, 23 + day)).toISOString().slice(0, 10)),
    )
    const closed = office([[workdays, '09:00', '09:01']], { holidays })
    const start = new Date('2026-11-23T00:00+11:00')
    assert.equal(addWorkingTime(closed, start, hours(60)), null)
    assert.equal(opensNext(closed, start)?.toISOString(), '2027-06-10T23:00:00.000Z')
  })

  test('offices with the same hours, holidays and target have the same key, and others have not', () => {
    const key = (more: Partial<SiteBody>) => officeOf({ ...site, ...more }).key
    assert.equal(key({ disclaimer: 'Another text' }), usual.key)
    assert.equal(key({ state: 'VIC', holidays: [on('2026-11-03', ['NSW'])] }), usual.key)
    const others = [
      { officeHours: [] },
      { holidays: [on('2026-11-03')] },
      { replyHours: 4 },
      { replyHours: null },
      { company: { ...site.company, timeZone: 'Australia/Perth' } },
    ]
    assert.equal(new Set([usual.key, ...others.map(key)]).size, 6)
  })

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
