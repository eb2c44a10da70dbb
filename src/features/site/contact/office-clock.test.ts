import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { describeGap, describeNow, timeIn } from './office-clock.ts'

const sydney = {
  lang: 'en-AU',
  timeZone: 'Australia/Sydney',
  now: '# in Sydney',
  ahead: ['# hour ahead of you', '# hours ahead of you'],
  behind: ['# hour behind you', '# hours behind you'],
  same: 'The same time as yours',
} as const
const summer = new Date('2026-12-01T00:15Z')
const winter = new Date('2026-07-01T00:15Z')

suite('The time at the office', () => {
  test('a visitor reads how far the office is from their clock, to a quarter of an hour', () => {
    const gapFrom = (zone: string, now = summer) => describeGap(now, sydney, zone)
    assert.equal(gapFrom('Asia/Kathmandu'), '5¼ hours ahead of you')
    assert.equal(gapFrom('Asia/Kathmandu', winter), '4¼ hours ahead of you')
    assert.equal(gapFrom('Asia/Kolkata'), '5½ hours ahead of you')
    assert.equal(gapFrom('Pacific/Auckland'), '2 hours behind you')
    assert.equal(gapFrom('Australia/Brisbane'), '1 hour ahead of you')
    assert.equal(gapFrom('Australia/Adelaide'), '½ hour ahead of you')
    assert.equal(gapFrom('America/Los_Angeles'), '19 hours ahead of you')
    assert.equal(gapFrom('Australia/Hobart'), 'The same time as yours')
  })

  test('the time has the digits of its sentence, whatever language a translator gives the page (found V9)', () => {
    assert.equal(timeIn(summer, sydney).replace('\u202f', ' '), '11:15 am')
    assert.equal(timeIn(summer, { ...sydney, lang: 'fa' }), '۱۱:۱۵')
  })

  test('the sign is the one that holds now, and without one the time is shown', () => {
    const minute = summer.getTime() / 60_000
    const signs = [
      [minute, 'Past'],
      [minute + 1, 'Open until 6 pm'],
      [minute + 2, 'Later'],
    ] as const
    const [title, note] = describeNow(summer, { ...sydney, signs }, '11:15 am in Sydney')
    assert.equal(title, 'Open until 6 pm')
    assert.match(note, /^11:15 am in Sydney\. \S/)
    for (const known of [[], signs.slice(0, 1)])
      assert.equal(describeNow(summer, { ...sydney, signs: known }, '11:15 am')[0], '11:15 am')
  })
})
