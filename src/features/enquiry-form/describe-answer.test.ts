import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { minutes } from '../../clock.ts'
import { describeAnswer } from './describe-answer.ts'

const at = (time: string) => Date.parse(time) / minutes(1)

/** Monday and Tuesday 9 to 6 in Sydney, eight hours. */
const times = {
  hours: [
    [at('2026-11-23T09:00+11:00'), at('2026-11-23T18:00+11:00')],
    [at('2026-11-24T09:00+11:00'), at('2026-11-24T18:00+11:00')],
  ] as const,
  target: 480,
  timeZone: 'Australia/Sydney',
  by: 'By {time}, Sydney time.',
  here: 'Here: {time}.',
}

suite('When an answer comes, in the browser', () => {
  test('a visitor reads it in the time of the office and in their own, rounded up to a quarter of an hour', () => {
    const describe = (time: string, here: string) => describeAnswer(times, new Date(time), 'en-AU', here)
    assert.match(
      describe('2026-11-23T20:00+05:45', 'Asia/Kathmandu'),
      /^By Tuesday 24 November at 5:00\spm, Sydney time\. Here: Tuesday 24 November at 11:45\sam\.$/,
    )
    assert.match(
      describe('2026-11-23T15:03+11:00', 'Australia/Hobart'),
      /^By Tuesday 24 November at 2:15\spm, Sydney time\.$/,
    )
    assert.match(
      describe('2026-11-23T10:00+11:00', 'America/Los_Angeles'),
      /6:00\spm.*Sunday 22 November at 11:00\spm/,
    )
  })

  test('nothing is said beyond the hours that are known', () => {
    assert.equal(describeAnswer(times, new Date('2026-11-24T10:01+11:00'), 'en-AU'), '')
    assert.equal(describeAnswer({ ...times, hours: [] }, new Date('2026-11-24T10:01+11:00'), 'en-AU'), '')
  })
})
