import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../http/api-client.ts'
import type { Bulk, BulkResult } from './bulk-contract.ts'
import type { Message } from './contract.ts'
import { runBulk, undoOf } from './run-bulk.ts'
import { rangeOf } from './use-selection.ts'

const NOW = new Date('2026-11-22T08:00:00Z')

function messageWith(id: string, change: Partial<Message> = {}): Message {
  return {
    ...{ id, reference: id, name: 'Mai', email: 'mai@visitor.test', phone: null, service: null, message: '' },
    ...{ details: {}, formType: 'contact', isRead: false, verification: 'off', letter: null, createdAt: '' },
    ...{ status: 'open', assignee: null, tags: [], snoozedUntil: null, dueAt: null, excerpt: '' },
    ...{ lastActivityAt: '', version: 1, ...change },
  }
}

suite('Changing many messages from the browser', () => {
  const ids = Array.from({ length: 120 }, (_, at) => `${at}`)
  const close: Bulk = { ids, change: { status: 'closed' } }

  /** Runs against a server that does what `answer` says. */
  async function run(steps: Bulk[], answer: (request: Bulk, call: number) => BulkResult, stopAfter = 1000) {
    const [sent, progress, waits]: [Bulk[], number[], number[]] = [[], [], []]
    const outcome = await runBulk(steps, {
      async send(request) {
        sent.push(request)
        return answer(request, sent.length)
      },
      onProgress: done => progress.push(done),
      isStopped: () => sent.length >= stopAfter,
      wait: async seconds => void waits.push(seconds),
    })
    return { outcome, sent, progress, waits }
  }
  const all = ({ ids: some }: Bulk): BulkResult => ({ changed: some, failed: [] })
  const lost = (): never => {
    throw new ApiError(500, {}, { isOffline: true })
  }

  test('messages are changed in calls of fifty, and each is reported once', async () => {
    const { outcome, sent, progress } = await run([close], all)
    assert.deepEqual(outcome, { changed: ids, failed: [], left: [] })
    assert.deepEqual(
      sent.map(request => request.ids.length),
      [50, 50, 20],
    )
    assert.deepEqual(progress, [50, 100, 120])
  })

  test('a call whose reply is lost is repeated until it is answered', async () => {
    const { outcome, sent, waits } = await run([close], (request, call) =>
      call === 2 || call === 3 ? lost() : all(request),
    )
    assert.deepEqual([outcome.changed, outcome.left, waits], [ids, [], [1, 2]])
    assert.deepEqual(sent[1]?.ids, sent[3]?.ids)
  })

  test('what the server was not asked about is left, after Stop and while it cannot be reached', async () => {
    const stopped = await run([close], all, 1)
    assert.deepEqual([stopped.outcome.changed.length, stopped.outcome.left], [50, ids.slice(50)])
    const { outcome, waits } = await run([{ ...close, ids: ['1'] }], lost)
    assert.deepEqual([outcome.left, waits.length], [['1'], 6])
  })

  test('a call that is refused names its messages with the reason', async () => {
    const { outcome } = await run([{ ...close, ids: ['1'] }], () => {
      throw new ApiError(403, { message: 'Not you' })
    })
    assert.deepEqual(outcome.failed, [{ id: '1', status: 403, message: 'Not you' }])
  })

  test('what a lost call has deleted counts as deleted, and what somebody else deleted does not', async () => {
    const gone = { changed: [], failed: [{ id: '1', status: 404, message: 'Gone' }] }
    const remove: Bulk = { ids: ['1'], change: { delete: true } }
    assert.deepEqual((await run([remove], (_, call) => (call === 1 ? lost() : gone))).outcome.changed, ['1'])
    assert.deepEqual((await run([remove], () => gone)).outcome.failed, gone.failed)
    const closed = await run([{ ...close, ids: ['1'] }], (_, call) => (call === 1 ? lost() : gone))
    assert.deepEqual(closed.outcome.failed, gone.failed)
  })

  test('undoing gives each message its former status, assignee, tags and mark', () => {
    const later = '2026-11-25T08:00:00.000Z'
    const before = [
      messageWith('1', { assignee: { id: 'ana', name: 'Ana' } }),
      messageWith('2', { status: 'waiting', tags: ['new'], isRead: true }),
      messageWith('3', { snoozedUntil: later }),
      messageWith('4', { snoozedUntil: '2026-11-20T08:00:00.000Z' }),
    ]
    const undo = (change: Bulk['change']) => undoOf({ change }, before, NOW)
    assert.deepEqual(undo({ status: 'spam' }), [
      { ids: ['1', '4'], change: { status: 'open' } },
      { ids: ['2'], change: { status: 'waiting' } },
      { ids: ['3'], change: { status: 'open', snoozedUntil: later } },
    ])
    assert.deepEqual(undo({ assignee: 'me' }), [
      { ids: ['1'], change: { assignee: 'ana' } },
      { ids: ['2', '3', '4'], change: { assignee: null } },
    ])
    assert.deepEqual(undo({ addTags: ['new'] }), [{ ids: ['1', '3', '4'], change: { removeTags: ['new'] } }])
    assert.deepEqual(undo({ isRead: true }), [
      { ids: ['1', '3', '4'], change: { isRead: false } },
      { ids: ['2'], change: { isRead: true } },
    ])
    assert.deepEqual(undo({ delete: true }), [])
  })

  test('a range of messages is selected in either direction, or one when its beginning has gone', () => {
    const shown = ['a', 'b', 'c', 'd']
    assert.deepEqual(rangeOf(shown, 'b', 'd'), ['b', 'c', 'd'])
    assert.deepEqual(rangeOf(shown, 'c', 'a'), ['a', 'b', 'c'])
    assert.deepEqual(rangeOf(shown, 'gone', 'a'), ['a'])
    assert.deepEqual(rangeOf(shown, null, 'a'), ['a'])
  })
})
