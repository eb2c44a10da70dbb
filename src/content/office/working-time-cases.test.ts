import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  always,
  atGap,
  byAppointmentOnly,
  easter,
  inMelbourne,
  inSydney,
  late,
  lordHowe,
  night,
  none,
  nowhere,
  overlapping,
  perth,
  split,
  summer,
  usual,
} from '../../../tests/support/offices.ts'
import { hours } from '../../platform/clock.ts'
import type { Office } from './office.ts'
import { addWorkingTime, workingTimeBetween } from './working-time.ts'

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

suite('Office time', () => {
  test('there are at least sixty cases by hand', () =>
    assert.ok(additions.length >= 60, `${additions.length}`))

  for (const [title, at, from, time, answer] of additions)
    test(`office time is added: ${title}`, () => {
      const due = addWorkingTime(at, new Date(from), hours(time))
      assert.equal(due?.toISOString(), answer === null ? undefined : new Date(answer).toISOString())
      if (due) assert.equal(workingTimeBetween(at, new Date(from), due), hours(time))
    })
})
