import { type BulkResult, bulk } from '../../src/features/inbox/bulk/contract.ts'
import { undoOf } from '../../src/features/inbox/bulk/run-bulk.ts'
import type { Browser } from './browser.ts'

/** Undoes a change of many messages as *Undo* of the portal does. @returns what became of each message */
export async function undoBulk(browser: Browser, { undo }: Pick<BulkResult, 'undo'>) {
  const outcome: Omit<BulkResult, 'undo'> = { changed: [], failed: [], unassigned: [] }
  for (const step of undoOf(undo)) {
    const { changed, failed, unassigned } = await browser.call(bulk.change, step)
    outcome.changed.push(...changed)
    outcome.failed.push(...failed)
    outcome.unassigned.push(...unassigned)
  }
  return outcome
}
