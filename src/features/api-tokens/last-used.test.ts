import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { days, hours, minutes, seconds } from '../../platform/clock.ts'
import { describeLastUse } from './manage-tokens.tsx'

suite('The last use of a token', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ago = (milliseconds: number) =>
    describeLastUse(new Date(now.getTime() - milliseconds).toISOString(), now)

  const cases: [number, string][] = [
    [0, 'Just now'],
    [seconds(60) - 1, 'Just now'],
    [seconds(60), '1 minute ago'],
    [minutes(2) - 1, '1 minute ago'],
    [minutes(2), '2 minutes ago'],
    [hours(1) - 1, '59 minutes ago'],
    [hours(1), '1 hour ago'],
    [days(1) - 1, '23 hours ago'],
    [days(1), '1 day ago'],
    [days(30) - 1, '29 days ago'],
    [days(30), 'Oct 22, 2026'],
    [days(400), 'Oct 17, 2025'],
  ]
  for (const [time, words] of cases)
    test(`a use ${time} ms ago is shown as ${words}`, () => assert.equal(ago(time), words))

  test('a token that was never used is shown as Never', () =>
    assert.equal(describeLastUse(null, now), 'Never'))

  test('a use in the future is shown as Just now, because clocks differ', () =>
    assert.equal(ago(-minutes(3)), 'Just now'))
})
