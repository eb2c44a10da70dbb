import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../ui/client.ts'
import { usePressGuard } from '../../../ui/form/press-guard.ts'
import { hideToast, showFailure } from '../../../ui/toast/toast.ts'
import type { Selection } from '../list/use-selection.ts'
import type { InboxFilter, MessageFilter } from '../messages/filter-contract.ts'
import { type Bulk, type BulkChange, bulk } from './contract.ts'
import type { BulkOutcome, FoundAll } from './run-bulk.ts'

/** What is done to the selected messages, in words that follow their number: `closed`, `assigned to Ana`. */
export interface BulkAction {
  readonly change: BulkChange
  readonly words: string
}

/** What came of an action. */
export interface BulkReport extends BulkOutcome {
  /** What is said of it. */
  readonly text: string
}

export interface BulkProgress {
  readonly done: number
  /** Null while messages are looked for. */
  readonly total: number | null
}

/** Loaded with the first action. */
const runner = () => import('./run-bulk.ts')

const FAILED = 'Failed to change the messages'

type Failed = BulkOutcome['failed']

/** Finds messages and runs actions on those that are selected, one at a time. */
export function useBulk({ replace }: Pick<Selection, 'replace'>) {
  const client = useQueryClient()
  const once = usePressGuard()
  const isStopped = useRef(false)
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [report, setReport] = useState<BulkReport | null>(null)
  const [found, setFound] = useState<FoundAll | null>(null)

  function begin(total: number | null) {
    // What was done before is no longer the last.
    hideToast()
    isStopped.current = false
    setReport(null)
    setFound(null)
    setProgress({ done: 0, total })
    return {
      onProgress: (done: number) => setProgress({ done, total }),
      isStopped: () => isStopped.current,
    }
  }

  /** @param failure what is said of an error that nobody expected */
  async function attempt(failure: string, work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      if (error instanceof Error) showFailure('Error', error, failure)
    } finally {
      setProgress(null)
    }
  }

  const find = ({ order: _, ...filter }: InboxFilter) =>
    attempt('Failed to find the enquiries', async () => {
      const read = (cursor: string | undefined) => call(bulk.find, { ...filter, cursor })
      const run = begin(null)
      const { findAll } = await runner()
      const all = await findAll({ read, ...run })
      setFound(all)
      if (all) replace(all.ids, all.versions)
    })

  async function run(steps: readonly Bulk[], words: string | null, alreadyFailed: Failed = []) {
    const { runBulk, describeOutcome, stillSelected } = await runner()
    const result = await runBulk(steps, {
      ...begin(steps.reduce((sum, { ids }) => sum + ids.length, 0)),
      send: request => call(bulk.change, request),
      wait: seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000)),
    })
    const outcome = { ...result, failed: [...result.failed, ...alreadyFailed] }
    setReport({ ...outcome, text: describeOutcome(words, outcome) })
    const { ids, versions } = stillSelected(steps, result)
    replace(ids, versions)
    // Not awaited: what comes next, such as undoing it, need not wait for the lists.
    for (const key of ['messages', 'dashboard']) void client.invalidateQueries({ queryKey: [key] })
  }

  async function undo({ undo: changes, unclear }: BulkReport) {
    const message = 'The connection was lost while they were changed'
    const { undoOf } = await runner()
    // Of those the version is unknown, so they are not selected again.
    const alreadyFailed = unclear.map(id => ({ id, status: 409, message }))
    await run(undoOf(changes), null, alreadyFailed)
    // Nobody undoes that, too.
    setReport(report => report && { ...report, undo: [] })
  }

  return {
    progress,
    report,
    found,
    find: (filter: MessageFilter) => once(() => find(filter), 'find'),
    start: ({ change, words }: BulkAction, { ids, versions }: Selection) =>
      once(() => attempt(FAILED, () => run([{ ids: [...ids], change, versions }], words)), words),
    undo: (done: BulkReport) => once(() => attempt(FAILED, () => undo(done)), 'undo'),
    stop() {
      isStopped.current = true
    },
    dismiss: () => setReport(null),
  }
}
