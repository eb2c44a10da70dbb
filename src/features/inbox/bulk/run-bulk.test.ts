import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../../http/api-client.ts'
import { rangeOf, toggled } from '../list/use-selection.ts'
import type { Bulk, BulkResult } from './contract.ts'
import { type BulkOutcome, describeOutcome, runBulk, stillSelected, undoOf } from './run-bulk.ts'

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
  const all = ({ ids: some }: Bulk): BulkResult => ({
    changed: some,
    failed: [],
    undo: some.map(id => ({ id, version: 2, change: { status: 'open' } })),
    unassigned: [],
  })
  const lost = (): never => {
    throw new ApiError(500, {}, { isOffline: true })
  }

  test('messages are changed in calls of fifty, and each is reported once', async () => {
    const { outcome, sent, progress } = await run([close], all)
    const undo = ids.map(id => ({ id, version: 2, change: { status: 'open' } }))
    assert.deepEqual(outcome, { changed: ids, failed: [], undo, unassigned: [], left: [], unclear: [] })
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

  test('messages whose reply was lost with what undoes them are named', async () => {
    const lostAfterwards = (request: Bulk, call: number) => ({
      ...all(request),
      ...(call > 1 && { undo: [] }),
    })
    const { outcome } = await run([close], (request, call) =>
      call === 1 ? lost() : call === 2 ? lostAfterwards(request, call) : all(request),
    )
    assert.deepEqual([outcome.unclear, outcome.undo.length], [ids.slice(0, 50), 70])
  })

  test('each call has the versions of its messages, as far as they are known', async () => {
    const { sent } = await run([{ ...close, versions: { 0: 4, 60: 7 } }], all)
    assert.deepEqual(
      sent.map(({ versions }) => versions),
      [{ 0: 4 }, { 60: 7 }, {}],
    )
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

  test('an error of the browser itself names the messages of its call, and the others are changed', async () => {
    const { outcome } = await run([close], (request, call) => {
      if (call === 2) throw new TypeError('x is undefined')
      return all(request)
    })
    assert.deepEqual([outcome.changed.length, outcome.failed.length, outcome.undo.length], [70, 50, 70])
    assert.deepEqual(outcome.failed[0], { id: '50', status: 500, message: 'Something unexpected happened' })
  })

  test('what was not changed stays selected with its version, after Stop, a conflict and a lost server', async () => {
    const versions = Object.fromEntries(ids.map((id, at) => [id, at + 1]))
    const steps = [{ ...close, versions }]
    const conflict = (request: Bulk): BulkResult => ({
      changed: request.ids.slice(2),
      failed: [
        { id: '0', status: 409, message: 'Somebody else has changed this enquiry' },
        { id: '1', status: 404, message: 'Gone' },
      ],
      undo: [],
      unassigned: [],
    })
    const stopped = stillSelected(steps, (await run(steps, conflict, 1)).outcome)
    const rest = ['0', ...ids.slice(50)]
    assert.deepEqual(stopped, {
      ids: rest,
      versions: Object.fromEntries(rest.map(id => [id, Number(id) + 1])),
    })
    const { outcome } = await run(steps, lost)
    assert.deepEqual(stillSelected(steps, outcome), { ids, versions })
    const undo = undoOf([{ id: '7', version: 9, change: { status: 'open' } }])
    assert.deepEqual(stillSelected(undo, (await run(undo, lost)).outcome).versions, { 7: 9 })
  })

  test('after an undo the bar says that messages are as they were, and how many are not', () => {
    const nothing = { changed: [], failed: [], undo: [], unassigned: [], left: [], unclear: [] }
    const describe = (outcome: Partial<BulkOutcome>, words: string | null = null) =>
      describeOutcome(words, { ...nothing, ...outcome })
    assert.equal(describe({ changed: ids }), '120 enquiries are as they were.')
    assert.equal(
      describe({ changed: ['1'], left: ['2', '3'] }),
      '1 enquiry is as it was. 2 not changed back.',
    )
    assert.equal(
      describe({ changed: ids, unassigned: ['1', '2'] }),
      '118 enquiries are as they were. 2 enquiries changed back, but assigned to nobody: their former assignee can no longer answer.',
    )
    assert.equal(
      describe({ changed: ['1'], unassigned: ['1'] }),
      '1 enquiry changed back, but assigned to nobody: its former assignee can no longer answer.',
    )
    assert.equal(
      describe({ left: ['1'], changed: ['2'] }, 'closed'),
      '1 enquiry closed. 1 left as they were.',
    )
  })

  test('what a lost call has deleted counts as deleted, and what somebody else deleted does not', async () => {
    const gone = {
      changed: [],
      failed: [{ id: '1', status: 404, message: 'Gone' }],
      undo: [],
      unassigned: [],
    }
    const remove: Bulk = { ids: ['1'], change: { delete: true } }
    assert.deepEqual((await run([remove], (_, call) => (call === 1 ? lost() : gone))).outcome.changed, ['1'])
    assert.deepEqual((await run([remove], () => gone)).outcome.failed, gone.failed)
    const closed = await run([{ ...close, ids: ['1'] }], (_, call) => (call === 1 ? lost() : gone))
    assert.deepEqual(closed.outcome.failed, gone.failed)
  })

  test('undoing asks once for each different change, with the versions that the action left', async () => {
    const undo = [
      { id: '1', version: 2, change: { status: 'open' as const } },
      { id: '2', version: 7, change: { status: 'open' as const, assignee: null } },
      { id: '3', version: 3, change: { status: 'open' as const } },
    ]
    const steps = [
      { ids: ['1', '3'], change: { status: 'open' }, versions: { 1: 2, 3: 3 }, isUndo: true },
      { ids: ['2'], change: { status: 'open', assignee: null }, versions: { 2: 7 }, isUndo: true },
    ]
    assert.deepEqual(undoOf(undo), steps)
    assert.deepEqual((await run(undoOf(undo), all)).sent, steps)
    assert.deepEqual(undoOf([]), [])
  })

  test('a message that is selected by hand has no version, also one that was selected unseen before', () => {
    const state = { list: '', ids: new Set(['a', 'b', 'c']), last: null, versions: { a: 1, b: 2, c: 3 } }
    const off = toggled(state, ['a', 'b'], 'b')
    assert.deepEqual([[...off.ids], off.versions, off.last], [['c'], { c: 3 }, 'b'])
    const on = toggled(off, ['b', 'c'], 'b')
    assert.deepEqual([[...on.ids].sort(), on.versions], [['b', 'c'], { c: 3 }])
  })

  test('a range of messages is selected in either direction, or one when its beginning has gone', () => {
    const shown = ['a', 'b', 'c', 'd']
    assert.deepEqual(rangeOf(shown, 'b', 'd'), ['b', 'c', 'd'])
    assert.deepEqual(rangeOf(shown, 'c', 'a'), ['a', 'b', 'c'])
    assert.deepEqual(rangeOf(shown, 'gone', 'a'), ['a'])
    assert.deepEqual(rangeOf(shown, null, 'a'), ['a'])
  })
})
