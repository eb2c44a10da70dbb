import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Entry } from '../conversation/contract.ts'
import { addressError, readAddresses } from '../replies/outgoing.ts'
import { snoozeTimes } from '../toolbar/snooze-times.ts'
import { describeEvent, type MessageEvent } from './entry-words.ts'
import { mergeTimeline } from './thread.tsx'

const time = (minute: number) => `2026-11-22T05:${String(minute).padStart(2, '0')}:00.000Z`
const author = { id: 'm', name: 'Mei Tanaka' }

function entry(seq: number, change: Partial<Entry> = {}): Entry {
  const texts = { body: `${seq}`, detail: null, cc: [], delivery: null, deliveryError: null, sendsAt: null }
  return { id: `e${seq}`, seq, kind: 'event', author, createdAt: time(seq), ...texts, ...change }
}
const note = (minute: number) => ({ id: `n${minute}`, author, body: '', createdAt: time(minute) })

function aMerged(id: string, minute: number) {
  const person = { name: 'Ana', email: 'ana@visitor.test', phone: null, service: null, isSameAddress: true }
  const words = { excerpt: '', details: { location: 'In Australia' } }
  const state = { formType: 'contact', status: 'closed', createdAt: time(minute) } as const
  return { id, reference: `LF-${id}`, ...person, ...words, ...state }
}

suite('A conversation', () => {
  test('notes are shown between the entries by time, and after an entry of the same moment', () => {
    const merged = mergeTimeline({
      message: { id: 'm', createdAt: time(0) },
      entries: [entry(2), entry(4), entry(6)],
      notes: [note(1), note(4), note(5), note(9)],
    })
    const ids = merged.map(({ id }) => id)
    assert.deepEqual(ids, ['m', 'n1', 'e2', 'e4', 'n4', 'n5', 'e6', 'n9'])
  })

  test('enquiries that are merged stand by time: an older one is above that of the open message, with its answers (found I1)', () => {
    const older = aMerged('older', 1)
    const newer = aMerged('newer', 7)
    const open = { message: { id: 'm', createdAt: time(4) }, merged: [older, newer] }
    const origin = { id: 'older', reference: 'LF-older' }
    const entries = [
      entry(1, { id: 'older', kind: 'inbound', origin }),
      entry(2, { kind: 'call', origin }),
      entry(6),
      entry(7, { id: 'newer', kind: 'inbound', origin: { id: 'newer', reference: 'LF-newer' } }),
      entry(8),
    ]
    const items = mergeTimeline({ ...open, entries, notes: [note(3), note(5)] })
    assert.deepEqual(
      items.map(({ kind, id }) => [kind, id]),
      [
        ['merged', 'older'],
        ['entry', 'e2'],
        ['note', 'n3'],
        ['enquiry', 'm'],
        ['note', 'n5'],
        ['entry', 'e6'],
        ['merged', 'newer'],
        ['entry', 'e8'],
      ],
    )
    assert.deepEqual(items[0]?.kind === 'merged' && items[0].merged.details, { location: 'In Australia' })
    const alone = mergeTimeline({ ...open, entries: entries.slice(0, 2), notes: [] })
    assert.deepEqual(
      alone.map(({ id }) => id),
      ['older', 'e2', 'm'],
    )
  })

  test('an event is a sentence with the name of who did it and whom it concerns', () => {
    const said = (
      body: MessageEvent | 'of the future',
      detail: string | null = null,
      who: Entry['author'] = author,
    ) => describeEvent({ author: who, body, detail, delivery: null }, iso => `[${iso}]`)
    assert.equal(said('assigned', 'Tom Okafor'), 'Mei Tanaka assigned this to Tom Okafor')
    assert.equal(said('assigned', 'Mei Tanaka'), 'Mei Tanaka took this enquiry')
    assert.equal(said('assigned', null, null), 'Somebody who has left assigned this to somebody who has left')
    assert.equal(said('status', 'open', null), 'This is open again')
    assert.equal(said('unsnoozed', null, null), 'The snooze ended')
    assert.equal(said('tagged', '482, partner'), 'Mei Tanaka added the tags 482, partner')
    assert.equal(said('status', 'spam'), 'Mei Tanaka marked this as spam')
    assert.equal(said('snoozed', 'soon'), 'Mei Tanaka snoozed this until [soon]')
    assert.equal(said('forwarded'), 'Mei Tanaka forwarded this by email')
    assert.equal(said('of the future', 'x'), 'Mei Tanaka: of the future: x')
  })

  test('a snooze ends by the clock of the office, whatever the time zone of who snoozes', () => {
    const at = (iso: string) =>
      snoozeTimes(new Date(iso), 'Australia/Sydney').map(({ label, until }) => [label, until.toISOString()])
    // Sunday evening in Sydney: tomorrow is Monday.
    assert.deepEqual(at('2026-11-22T07:10:00Z'), [
      ['Later today', '2026-11-22T11:00:00.000Z'],
      ['Tomorrow', '2026-11-22T22:00:00.000Z'],
    ])
    // Late on Wednesday, before midnight there.
    assert.deepEqual(at('2026-11-25T12:30:00Z'), [
      ['Tomorrow', '2026-11-25T22:00:00.000Z'],
      ['Next Monday', '2026-11-29T22:00:00.000Z'],
    ])
    // The Saturday before clocks go forward.
    assert.deepEqual(at('2026-10-03T01:00:00Z').slice(1), [
      ['Tomorrow', '2026-10-03T22:00:00.000Z'],
      ['Next Monday', '2026-10-04T22:00:00.000Z'],
    ])
  })

  test('a copy goes to at most ten addresses, each of which is one', () => {
    assert.deepEqual(readAddresses(' a@b.test, c@d.test;\ne@f.test '), ['a@b.test', 'c@d.test', 'e@f.test'])
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@b.test`).join(', ')
    assert.equal(addressError(''), undefined)
    assert.equal(addressError(many(10)), undefined)
    assert.equal(addressError(many(11)), 'At most 10 people get a copy')
    assert.equal(addressError('a@b.test, nobody'), 'nobody is not an email address')
  })
})
