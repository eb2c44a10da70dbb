import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../ui/client.ts'
import { usePressGuard } from '../../ui/press-guard.ts'
import { type Bulk, type BulkChange, bulk } from './bulk-contract.ts'
import type { Message } from './contract.ts'
import { type BulkOutcome, runBulk, undoOf } from './run-bulk.ts'

/** What is done to the selected messages, in words that follow their number: `closed`, `assigned to Ana`. */
export interface BulkAction {
  readonly change: BulkChange
  readonly words: string
}

/** What came of an action. */
export interface BulkReport extends BulkOutcome {
  readonly words: string
  /** What undoes it; empty when nothing does. */
  readonly undo: readonly Bulk[]
}

export interface BulkProgress {
  readonly done: number
  readonly total: number
}

/** Runs actions on selected messages, one at a time. @param select gets the ids of those that were not changed */
export function useBulk(select: (ids: readonly string[]) => void) {
  const client = useQueryClient()
  const once = usePressGuard()
  const isStopped = useRef(false)
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [report, setReport] = useState<BulkReport | null>(null)

  async function run(steps: readonly Bulk[], words: string, before: readonly Message[]) {
    const total = steps.reduce((sum, { ids }) => sum + ids.length, 0)
    isStopped.current = false
    setReport(null)
    setProgress({ done: 0, total })
    const outcome = await runBulk(steps, {
      send: request => call(bulk.change, request),
      onProgress: done => setProgress({ done, total }),
      isStopped: () => isStopped.current,
      wait: seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000)),
    })
    const changed = new Set(outcome.changed)
    const undone = before.filter(({ id }) => changed.has(id))
    const undo = steps.flatMap(({ change }) => undoOf({ change }, undone, new Date()))
    setProgress(null)
    setReport({ ...outcome, words, undo })
    // What is gone cannot be selected.
    select([...outcome.failed.filter(({ status }) => status !== 404).map(({ id }) => id), ...outcome.left])
    // Not awaited: what comes next, such as undoing it, need not wait for the lists.
    for (const key of ['messages', 'dashboard']) void client.invalidateQueries({ queryKey: [key] })
  }

  return {
    progress,
    report,
    /** @param before the messages as they are now, as far as they are known */
    start: ({ change, words }: BulkAction, ids: readonly string[], before: readonly Message[]) =>
      once(() => run([{ ids: [...ids], change }], words, before), words),
    undo: ({ undo }: BulkReport) => once(() => run(undo, 'as before', []), 'undo'),
    stop() {
      isStopped.current = true
    },
    dismiss: () => setReport(null),
  }
}
