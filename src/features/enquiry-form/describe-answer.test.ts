import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { minutes } from '../../clock.ts'
import { describeAnswer } from './describe-answer.ts'

/** From Monday in Sydney, open on that day and on Tuesday from 9 to 6; eight hours. */
const answer = {
  start: Date.parse('2026-11-23T00:00+11:00') / minutes(1),
  spans: [540, 540, 900, 540],
  target: 480,
  by: 'By {time}, {zone}.',
  timeZone: 'Australia/Sydney',
  zone: 'Sydney time',
}

suite('When an answer comes, in the browser', () => {
  test('a visitor reads it in the time of the office and in their own, rounded up to a quarter of an hour', () => {
    const describe = (time: string, here: string) => describeAnswer(answer, new Date(time), 'en-AU', here)
    assert.match(
      describe('2026-11-23T20:00+05:45', 'Asia/Kathmandu'),
      /^By Tuesday 24 November at 5:00\spm, Sydney time\. \(Tuesday 24 November at 11:45\sam Nepal Time\)$/,
    )
    assert.match(
      describe('2026-11-23T15:03+11:00', 'Australia/Hobart'),
      /^By Tuesday 24 November at 2:15\spm, Sydney time\.$/,
    )
    assert.match(
      describe('2026-11-23T10:00+11:00', 'America/Los_Angeles'),
      /6:00\spm.*Sunday 22 November at 11:00\spm Pacific Standard Time/,
    )
  })

  test('nothing is said beyond the hours that are known', () => {
    const later = new Date('2026-11-24T10:01+11:00')
    for (const known of [answer, { ...answer, spans: [] }, null, undefined])
      assert.equal(describeAnswer(known, later, 'en-AU'), '')
  })
})
