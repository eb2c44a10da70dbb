import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Office, officeOf } from '../../../content/office/office.ts'
import { sampleContent } from '../../../sample/site.server.ts'
import { statuses } from '../messages/filter-contract.ts'
import { type ClockEvent, dueAt } from './due-at.ts'

/** Monday to Friday 9 to 6 in Sydney, eight hours. */
const { site } = sampleContent

suite('When an answer is due', () => {
  const usual = officeOf(site)
  const earlier = officeOf({
    ...site,
    officeHours: [{ id: 'h', days: ['Tuesday'], opens: '08:00', closes: '24:00', byAppointment: false }],
  })

  /** Of a message from Monday 23 November 2026, 10 am in Sydney. @param events day, time, what happened, detail */
  function due(
    events: readonly (readonly [string, string, string?])[],
    office: Office = usual,
    status = 'open',
  ) {
    const history = events.map(([time, what, detail = null]): ClockEvent => {
      const [kind, action] = ['reply', 'failed', 'call', 'inbound'].includes(what)
        ? [what, null]
        : ['event', what]
      const status_after = statuses.find(each => each === detail) ?? null
      return {
        kind:
          kind === 'failed'
            ? 'reply'
            : kind === 'call' || kind === 'reply' || kind === 'inbound'
              ? kind
              : 'event',
        ...{
          action,
          status_before: null,
          status_after,
          detail,
          created_at: utc(time),
          isFailed: what === 'failed',
        },
      }
    })
    const message = { status: status === 'open' ? 'open' : 'waiting', created_at: utc('23T10:00') } as const
    return dueAt(office, message, history)
  }
  /** Of a day and time in Sydney in November 2026. */
  const utc = (time: string) => new Date(`2026-11-${time}+11:00`).toISOString()

  const cases: readonly (readonly [string, string | null, ...Parameters<typeof due>])[] = [
    ['nothing happened', '23T18:00', []],
    ['a reply', null, [['23T11:00', 'reply']]],
    ['a phone call', null, [['23T11:00', 'call']]],
    [
      'a reply that could not be sent',
      '23T18:00',
      [
        ['23T11:00', 'failed'],
        ['23T12:00', 'reply-failed'],
      ],
    ],
    [
      'a failed reply, after which the message was waiting',
      '24T09:30',
      [
        ['23T11:00', 'failed'],
        ['23T11:00', 'status', 'waiting'],
        ['23T11:30', 'reply-failed'],
      ],
    ],
    [
      'an hour of waiting',
      '24T10:00',
      [
        ['23T11:00', 'status', 'waiting'],
        ['23T12:00', 'status', 'open'],
      ],
    ],
    [
      'a night of waiting',
      '24T10:00',
      [
        ['23T17:00', 'status', 'waiting'],
        ['24T09:00', 'status', 'open'],
      ],
    ],
    ['it is waiting', null, [['23T11:00', 'status', 'waiting']], usual, 'waiting'],
    [
      'closed by mistake for an hour',
      '24T10:00',
      [
        ['23T11:00', 'status', 'closed'],
        ['23T12:00', 'status', 'open'],
      ],
    ],
    [
      'spam by mistake over a weekend',
      '30T15:00',
      [
        ['23T12:00', 'status', 'spam'],
        ['28T12:00', 'status', 'open'],
      ],
    ],
    ['a snooze within office hours', '24T11:00', [['23T11:00', 'snoozed', utc('23T13:00')]]],
    ['a snooze until the next morning', '24T16:00', [['23T11:00', 'snoozed', utc('24T09:00')]]],
    ['a snooze that ends on a Sunday', '30T16:00', [['23T11:00', 'snoozed', utc('29T12:00')]]],
    [
      'a snooze that was ended early',
      '24T09:30',
      [
        ['23T11:00', 'snoozed', utc('24T09:00')],
        ['23T11:30', 'unsnoozed'],
      ],
    ],
    [
      'a snooze that was made longer',
      '24T11:00',
      [
        ['23T11:00', 'snoozed', utc('23T12:00')],
        ['23T11:30', 'snoozed', utc('23T13:00')],
      ],
    ],
    [
      'a snooze, and waiting within it',
      '24T12:00',
      [
        ['23T11:00', 'snoozed', utc('23T13:00')],
        ['23T12:00', 'status', 'waiting'],
        ['23T14:00', 'status', 'open'],
      ],
    ],
    ['a snooze after it was overdue', '23T18:00', [['24T09:00', 'snoozed', utc('25T09:00')]]],
    [
      'waiting after it was overdue',
      '23T18:00',
      [
        ['24T09:00', 'status', 'waiting'],
        ['24T10:00', 'status', 'open'],
      ],
    ],
    ['the visitor writes again before an answer', '23T18:00', [['23T12:00', 'inbound']]],
    [
      'the visitor writes after an answer',
      '24T11:00',
      [
        ['23T11:00', 'reply'],
        ['23T12:00', 'inbound'],
      ],
    ],
    [
      'the visitor ends a snooze',
      '24T10:00',
      [
        ['23T11:00', 'snoozed', utc('25T09:00')],
        ['23T12:00', 'inbound'],
      ],
    ],
    [
      'the visitor writes after an answer and gets another',
      null,
      [
        ['23T11:00', 'reply'],
        ['23T12:00', 'inbound'],
        ['23T13:00', 'call'],
      ],
    ],
    ['the hours have changed meanwhile', '24T16:00', [], earlier],
    [
      'the hours have changed, and an hour was waiting',
      '24T17:00',
      [
        ['24T09:00', 'status', 'waiting'],
        ['24T10:00', 'status', 'open'],
      ],
      earlier,
    ],
    ['there is no target', null, [], officeOf({ ...site, replyHours: null })],
    ['there are no hours', null, [], officeOf({ ...site, officeHours: [] })],
  ]
  for (const [title, expected, ...facts] of cases)
    test(`an answer is due in office hours: ${title}`, () =>
      assert.equal(due(...facts), expected === null ? null : utc(expected)))
})
