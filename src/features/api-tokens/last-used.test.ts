import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { days, hours, minutes, seconds } from '../../clock.ts'
import { describeLastUse } from './last-used.ts'

suite('The last use of a token', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ago = (milliseconds: number) =>
    describeLastUse(new Date(now.getTime() - milliseconds).toISOString(), now)

  const said: [number, string][] = [
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
  for (const [time, words] of said) test(`${time} ms ago: ${words}`, () => assert.equal(ago(time), words))

  test('never was', () => assert.equal(describeLastUse(null, now), 'Never'))

  test('is not ahead of us when the clocks of server and reader differ', () =>
    assert.equal(ago(-minutes(3)), 'Just now'))
})
