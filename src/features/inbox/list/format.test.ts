import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { textsFor } from '../../../i18n/texts.ts'
import { hours, minutes } from '../../../platform/clock.ts'
import { formatDateTime } from '../../../ui/dates.ts'
import {
  beginsWith,
  describeOverdue,
  describeVerification,
  initialsOf,
  isOurSubject,
  isolateBidi,
  toAsciiEmail,
  verificationBadge,
} from './format.ts'

suite('Message texts', () => {
  test('a date has the format that the specification gives', () => {
    const local = (text: string) => new Date(text).toISOString()
    assert.equal(formatDateTime(local('2026-11-21T15:04')), 'Nov 21, 2026 3:04 PM')
    assert.equal(formatDateTime(local('2026-01-02T00:30')), 'Jan 2, 2026 12:30 AM')
  })

  test('a choice of a menu is found by how its words begin, without accents (found I5)', () => {
    const found = (typed: string) =>
      ['Me (Mei Tanaka)', 'Ravi Ahmed', 'Zoë Ravenhill', 'Tom O’Connor'].filter(name =>
        beginsWith(name, typed),
      )
    assert.deepEqual(found('rav'), ['Ravi Ahmed', 'Zoë Ravenhill'])
    assert.deepEqual(found('ravi'), ['Ravi Ahmed'])
    assert.deepEqual(found('zoe rav'), ['Zoë Ravenhill'])
    assert.deepEqual(found('mei'), ['Me (Mei Tanaka)'])
    assert.deepEqual(found('vi'), [])
    assert.equal(found('').length, 4)
  })

  test('a domain of look-alike characters is shown in Punycode', () => {
    assert.equal(toAsciiEmail('me@аpple.com'), 'me@xn--pple-43d.com')
    assert.equal(toAsciiEmail('me@xn--pple-43d.com'), 'me@xn--pple-43d.com')
    assert.equal(toAsciiEmail('O.Brien@Visitor.test'), 'O.Brien@Visitor.test')
    assert.equal(toAsciiEmail('me@а b'), 'me@%D0%B0%20b')
  })

  test('a right-to-left name cannot reorder the sentence around it', () => {
    assert.equal(isolateBidi('Zoë Müller-李'), 'Zoë Müller-李')
    for (const name of ['\u202eevil', 'שלום', 'فاطمة', '\u2066x'])
      assert.equal(isolateBidi(name), `\u2068${name}\u2069`)
  })

  test('the result of the bot check is described in a sentence', () => {
    assert.equal(describeVerification('verified'), 'Not a bot, as far as the check can say')
    assert.equal(describeVerification('off'), 'Not checked: the bot check was off')
    assert.equal(describeVerification('suspect:0.3'), 'May be a bot: scored 0.3 of 1')
    assert.equal(describeVerification('unverified:provider_down'), 'Not verified: Google did not respond')
    assert.equal(describeVerification('unverified:new'), 'Not verified: the bot check could not run')
    const badges = ['verified', 'off', 'unverified:error', 'suspect:0.1'].map(verificationBadge)
    assert.deepEqual(badges, [null, null, 'Unverified', 'Suspect'])
  })

  test('a message is overdue from the hour of its reply, while it is open and not snoozed', () => {
    const due = Date.parse('2026-11-21T10:00:00.000Z')
    const message = { status: 'open' as const, snoozedUntil: null, dueAt: new Date(due).toISOString() }
    const after = (time: number, change = {}) => describeOverdue({ ...message, ...change }, due + time)
    assert.equal(after(-1), null)
    assert.equal(after(0), 'Overdue')
    assert.equal(after(hours(1) - 1), 'Overdue')
    assert.equal(after(hours(1)), 'Overdue 1 h')
    assert.equal(after(hours(100) - 1), 'Overdue 99 h')
    assert.equal(after(hours(100)), 'Overdue 4 days')
    assert.equal(after(hours(5), { dueAt: null }), null)
    assert.equal(after(hours(5), { status: 'waiting' }), null)
    const snoozedUntil = new Date(due + hours(5)).toISOString()
    assert.equal(after(hours(5) - minutes(1), { snoozedUntil }), null)
    assert.equal(after(hours(5), { snoozedUntil }), 'Overdue 5 h')
  })

  test('an answer to our subject has none of its own, unless its sender wrote something beside it', () => {
    const reference = 'LF-7K2M9Q'
    const { emails } = textsFor('en')
    const ours = [emails.reply.subject(reference), emails.acknowledgement.subject(reference)]
    for (const subject of ours)
      for (const prefix of [
        '',
        'Re: ',
        'RE: Re: ',
        'AW: ',
        'SV:',
        'Re[2]: ',
        '回复：',
        'Antw: ',
        'Trả lời: ',
      ])
        assert.ok(isOurSubject(prefix + subject, reference), prefix + subject)
    for (const subject of [
      `Re: Your enquiry ${reference} - please withdraw it`,
      `Urgent: Your enquiry ${reference}`,
      `Fwd: Your enquiry ${reference}`,
      'Re: Your enquiry LF-AAAAAA',
      reference,
      '',
    ])
      assert.ok(!isOurSubject(subject, reference), subject)
  })

  test('the initials of a name are those of its first and last word', () => {
    assert.deepEqual(['Tom van Okafor', 'mei', '李 伟', ''].map(initialsOf), ['TO', 'M', '李伟', ''])
  })
})
