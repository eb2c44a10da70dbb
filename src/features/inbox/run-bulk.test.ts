import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../http/api-client.ts'
import { type Bulk, type BulkResult, MAX_BULK } from './bulk-contract.ts'
import { findAll } from './find-all.ts'
import { describeOutcome, runBulk, stillSelected, undoOf } from './run-bulk.ts'
import { rangeOf, toggled } from './use-selection.ts'

const NOW = new Date('2026-11-22T08:00:00Z')

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
  })
  const lost = (): never => {
    throw new ApiError(500, {}, { isOffline: true })
  }

  test('messages are changed in calls of fifty, and each is reported once', async () => {
    const { outcome, sent, progress } = await run([close], all)
    const undo = ids.map(id => ({ id, version: 2, change: { status: 'open' } }))
    assert.deepEqual(outcome, { changed: ids, failed: [], undo, left: [], unclear: [] })
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
        { id: '0', status: 409, message: 'Somebody else has changed this message' },
        { id: '1', status: 404, message: 'Gone' },
      ],
      undo: [],
    })
    const stopped = stillSelected(steps, (await run(steps, conflict, 1)).outcome)
    const rest = ['0', ...ids.slice(50)]
    assert.deepEqual(stopped, {
      ids: rest,
      versions: Object.fromEntries(rest.map(id => [id, Number(id) + 1])),
    })
    const { outcome } = await run(steps, lost)
    assert.deepEqual(stillSelected(steps, outcome), { ids, versions })
    const undo = undoOf([{ id: '7', version: 9, change: { status: 'open' } }], NOW)
    assert.deepEqual(stillSelected(undo, (await run(undo, lost)).outcome).versions, { 7: 9 })
  })

  test('after an undo the bar says that messages are as they were, and how many are not', () => {
    const nothing = { changed: [], failed: [], undo: [], left: [], unclear: [] }
    const describe = (changed: string[], left: string[] = []) =>
      describeOutcome(null, { ...nothing, changed, left })
    assert.equal(describe(ids), '120 messages are as they were.')
    assert.equal(describe(['1'], ['2', '3']), '1 message is as it was. 2 not changed back.')
    assert.equal(
      describeOutcome('closed', { ...nothing, left: ['1'], changed: ['2'] }),
      '1 message closed. 1 left as they were.',
    )
  })

  test('what a lost call has deleted counts as deleted, and what somebody else deleted does not', async () => {
    const gone = { changed: [], failed: [{ id: '1', status: 404, message: 'Gone' }], undo: [] }
    const remove: Bulk = { ids: ['1'], change: { delete: true } }
    assert.deepEqual((await run([remove], (_, call) => (call === 1 ? lost() : gone))).outcome.changed, ['1'])
    assert.deepEqual((await run([remove], () => gone)).outcome.failed, gone.failed)
    const closed = await run([{ ...close, ids: ['1'] }], (_, call) => (call === 1 ? lost() : gone))
    assert.deepEqual(closed.outcome.failed, gone.failed)
  })

  test('undoing asks once for each different change, with the versions that the action left', () => {
    const [past, later] = ['2026-11-20T08:00:00.000Z', '2026-11-25T08:00:00.000Z']
    const undo = [
      { id: '1', version: 2, change: { status: 'open' as const } },
      { id: '2', version: 7, change: { status: 'open' as const, snoozedUntil: later } },
      { id: '3', version: 3, change: { status: 'open' as const } },
      { id: '4', version: 4, change: { snoozedUntil: past } },
    ]
    assert.deepEqual(undoOf(undo, NOW), [
      { ids: ['1', '3'], change: { status: 'open' }, versions: { 1: 2, 3: 3 } },
      { ids: ['2'], change: { status: 'open', snoozedUntil: later }, versions: { 2: 7 } },
      { ids: ['4'], change: { snoozedUntil: null }, versions: { 4: 4 } },
    ])
    assert.deepEqual(undoOf([], NOW), [])
  })

  /** Finds messages on a server that has so many. */
  async function find(count: number, stopAfter = 1000) {
    const progress: number[] = []
    const matching = Array.from({ length: count }, (_, at) => ({ id: `${at}`, version: at + 1 }))
    const found = await findAll({
      async read(cursor = '0') {
        const end = Number(cursor) + 500
        return { found: matching.slice(Number(cursor), end), nextCursor: end < count ? `${end}` : null }
      },
      onProgress: figure => progress.push(figure),
      isStopped: () => progress.length >= stopAfter,
    })
    return { found, progress }
  }

  test('all messages that match are found, page by page, until somebody stops it', async () => {
    const { found, progress } = await find(1203)
    assert.deepEqual([found?.ids.length, found?.isWhole, found?.versions[7]], [1203, true, 8])
    assert.deepEqual(progress, [500, 1000, 1203])
    assert.equal((await find(1203, 1)).found, null)
  })

  test('of more than one action takes, the newest are found, and that there are others', async () => {
    assert.equal((await find(MAX_BULK)).found?.isWhole, true)
    const { found, progress } = await find(MAX_BULK + 1)
    assert.deepEqual([found?.ids.length, found?.ids[0], found?.isWhole], [MAX_BULK, '0', false])
    assert.equal((await find(3 * MAX_BULK)).progress.length, progress.length, 'and no more is read')
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
