import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { textsFor } from '../../../i18n/texts.ts'
import { minutes } from '../../../platform/clock.ts'
import { describeAnswer } from '../form-submitter.ts'

/** From Monday in Sydney, open on that day and on Tuesday from 9 to 6; eight hours. */
const answer = {
  start: Date.parse('2026-11-23T00:00+11:00') / minutes(1),
  spans: [540, 540, 900, 540],
  target: 480,
  timeZone: 'Australia/Sydney',
  city: 'Sydney',
}
const { receipt: words } = textsFor('en').enquiryForm
const texts = { lang: 'en-AU', receipt: { ...words, reference: '', keep: '' } }

suite('When an answer comes, in the browser', () => {
  test('a visitor reads it in the time of the office and in their own, rounded up to a quarter of an hour (found V13)', () => {
    const describe = (time: string, here: string) =>
      describeAnswer({ ...texts, answer }, new Date(time), here).replaceAll('\u202f', ' ')
    assert.equal(describe('2026-11-23T09:00+11:00', 'Asia/Manila'), 'Monday 5 pm in Sydney, 2 pm your time')
    assert.equal(
      describe('2026-11-23T20:00+05:45', 'Asia/Kathmandu'),
      'Tuesday 5 pm in Sydney, 11:45 am your time',
    )
    assert.equal(describe('2026-11-23T15:03+11:00', 'Australia/Hobart'), 'Tuesday 2:15 pm in Sydney')
    assert.equal(
      describe('2026-11-23T10:00+11:00', 'America/Los_Angeles'),
      'Monday 6 pm in Sydney, Sunday 11 pm your time',
    )
  })

  test('a time that is a week away has its date, since the day alone would be another one', () => {
    const far = { ...answer, spans: [540, 60, 10_000, 540] }
    const shown = describeAnswer({ ...texts, answer: far }, new Date('2026-11-23T09:00+11:00'), 'UTC')
    assert.match(shown, /^Monday 30 November .* in Sydney, /)
  })

  test('nothing is said beyond the hours that are known', () => {
    const later = new Date('2026-11-24T10:01+11:00')
    for (const known of [answer, { ...answer, spans: [] }, null])
      assert.equal(describeAnswer({ ...texts, answer: known }, later), '')
  })
})
