import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  late,
  night,
  none,
  office,
  on,
  site,
  split,
  summer,
  usual,
  workdays,
} from '../../../tests/support/offices.ts'
import { hours } from '../../platform/clock.ts'
import type { SiteBody } from '../site-body.ts'
import { type Office, officeOf } from './office.ts'
import {
  addWorkingTime,
  answerBy,
  isOpen,
  nextMorning,
  opensNext,
  openUntil,
  workingTimeBetween,
} from './working-time.ts'

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
  for (const [title, at, instant, until, next] of openings)
    test(`the office says until when it is open, or when it opens: ${title}`, () => {
      const now = new Date(instant)
      assert.equal(openUntil(at, now)?.getTime(), until === null ? undefined : Date.parse(until))
      assert.equal(opensNext(at, now)?.getTime(), next === null ? undefined : Date.parse(next))
      assert.equal(isOpen(at, now), until !== null)
    })

  test('the next morning is the first opening of a day that is still to come, not the end of a break (found E2)', () => {
    const next = (at: Office, instant: string) => nextMorning(at, new Date(instant))?.getTime()
    const tuesday = Date.parse('2026-11-24T09:00+11:00')
    assert.equal(next(usual, '2026-11-23T07:00+11:00'), Date.parse('2026-11-23T09:00+11:00'))
    assert.equal(next(usual, '2026-11-23T09:00+11:00'), tuesday)
    assert.equal(next(split, '2026-11-23T12:00+11:00'), tuesday)
    assert.equal(next(split, '2026-11-23T13:00+11:00'), tuesday)
    assert.equal(next(usual, '2026-11-27T20:00+11:00'), Date.parse('2026-11-30T09:00+11:00'))
    assert.equal(next(none, '2026-11-23T12:00+11:00'), undefined)
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

  test('the holidays are those of the state in the address, until a state is chosen', () => {
    const holidays = [on('2026-11-03', ['VIC'])]
    const isClosed = (address: string[], state: 'VIC' | null = null) =>
      !isOpen(
        office([[workdays, '09:00', '17:00']], {
          holidays,
          company: { ...site.company, address },
          state,
        }),
        new Date('2026-11-03T12:00+11:00'),
      )
    assert.equal(isClosed(['1 Queen Street', 'Melbourne Vic 3000', 'Australia']), true)
    assert.equal(isClosed(['1 High Street, Fremantle WA 6160']), false)
    assert.equal(isClosed(['1 Victoria Street', 'Perth, WA, 6000', 'formerly SA']), false)
    assert.equal(isClosed(['WA House 6160 VIC Lane', 'Singapore']), true, 'none before a postcode')
    assert.equal(isClosed([]), true, 'each counts')
    assert.equal(isClosed(['Fremantle WA 6160'], 'VIC'), true, 'the chosen one')
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
})
