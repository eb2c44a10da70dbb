import { Button } from '../../../ui/button.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { undoLast } from '../../../ui/toast/undo-toast.ts'
import { figure } from '../list/format.ts'
import type { Selection } from '../list/use-selection.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import { Key } from '../toolbar/icon.tsx'
import type { FoundAll } from './run-bulk.ts'
import { type BulkProgress, type BulkReport, useBulk } from './use-bulk.ts'

/** Loaded with the first that is selected. */
const BulkActions = lazily(async () => (await import('./bulk-actions.tsx')).BulkActions)

interface BulkBarProps {
  readonly selection: Selection
  /** Whether the list may have others than those that are selected. */
  readonly hasOthers: boolean
  readonly filter: MessageFilter
  /** Called when nothing is selected any more because somebody wants that. */
  readonly onClear: () => void
}

/** What can be done with the selected messages, below the list; then its progress, and what came of it. */
export function BulkBar({ selection, hasOthers, filter, onClear }: BulkBarProps) {
  const work = useBulk(selection)
  const count = selection.ids.size
  const report = work.report && isAbout(work.report, selection.ids) ? work.report : null
  const found = work.found && isSame(work.found, selection.ids) ? work.found : null
  const said = report ?? found
  const selected = count > 0 ? `${figure(count)} selected` : ''
  const isShown = count > 0 || work.progress !== null || report !== null

  const undo = () => report && work.undo(report)
  const mayUndo = !work.progress && report !== null && report.undo.length > 0
  useShortcuts({ z: mayUndo ? () => undoLast() || undo() : undefined })

  function clear() {
    work.dismiss()
    selection.replace([])
    onClear()
  }

  return (
    <section className="line wrap inbox-bulk" aria-label="Selected enquiries" hidden={!isShown}>
      <p role="status" className="break inbox-bulk-status">
        {work.progress ? describeProgress(work.progress) : (said?.text ?? selected)}
      </p>
      {work.progress && <Running {...work.progress} onStop={work.stop} />}
      {mayUndo && (
        <Button aria-keyshortcuts="z" onClick={undo}>
          Undo <Key name="Z" />
        </Button>
      )}
      {!work.progress && hasOthers && count > 0 && !found && (
        <Button onClick={() => work.find(filter)}>Select all that match</Button>
      )}
      {isShown && !work.progress && (
        <BulkActions
          count={count}
          filter={filter}
          onAct={action => work.start(action, selection)}
          onClear={clear}
        />
      )}
    </section>
  )
}

/** Whether these are the selected ones, and no others. */
function isSame({ ids }: FoundAll, selected: ReadonlySet<string>): boolean {
  return ids.length > 0 && ids.length === selected.size && ids.every(id => selected.has(id))
}

/** Whether nothing has been selected since. */
function isAbout({ failed, left }: BulkReport, ids: ReadonlySet<string>): boolean {
  const kept = new Set([...failed.map(({ id }) => id), ...left])
  return [...ids].every(id => kept.has(id))
}

function describeProgress({ done, total }: BulkProgress): string {
  return total === null ? `${figure(done)} found so far` : `${figure(done)} of ${figure(total)} done`
}

function Running({ done, total, onStop }: BulkProgress & { readonly onStop: () => void }) {
  return (
    <>
      <progress
        className="inbox-bulk-progress"
        aria-label="Progress"
        value={total === null ? undefined : done}
        max={total ?? undefined}
      />
      <Button onClick={onStop}>Stop</Button>
    </>
  )
}
