import { lazy, Suspense, useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { type MessageFilter, messages } from './contract.ts'
import { figure, messageCount } from './count-words.ts'
import type { FoundAll } from './find-all.ts'
import { type BulkAction, type BulkProgress, type BulkReport, useBulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

/** Loaded when one is opened. */
const dialogs = () => import('./bulk-dialogs.tsx')
const AssignDialog = lazy(async () => ({ default: (await dialogs()).AssignDialog }))
const SnoozeDialog = lazy(async () => ({ default: (await import('./bulk-snooze.tsx')).SnoozeDialog }))
const TagDialog = lazy(async () => ({ default: (await dialogs()).TagDialog }))
const DeleteManyDialog = lazy(async () => ({ default: (await dialogs()).DeleteManyDialog }))

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
  const isShown = count > 0 || work.progress !== null || report !== null

  function clear() {
    work.dismiss()
    selection.replace([])
    onClear()
  }

  return (
    <section className="inbox-bulk" aria-label="Selected messages" hidden={!isShown}>
      <p role="status" className="inbox-bulk-status">
        {describe(count, work.progress, report, found)}
      </p>
      {work.progress && <Running {...work.progress} onStop={work.stop} />}
      {!work.progress && report && report.undo.length > 0 && (
        <button type="button" className="button" onClick={() => work.undo(report)}>
          Undo
        </button>
      )}
      {!work.progress && hasOthers && count > 0 && !found && (
        <button type="button" className="button" onClick={() => work.find(filter)}>
          Select all that match
        </button>
      )}
      {!work.progress && (
        <Actions
          count={count}
          filter={filter}
          onAct={action => work.start(action, selection)}
          onClear={isShown ? clear : undefined}
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

function describe(
  count: number,
  progress: BulkProgress | null,
  report: BulkReport | null,
  found: FoundAll | null,
): string {
  if (progress?.total === null) return `${figure(progress.done)} found so far`
  if (progress) return `${figure(progress.done)} of ${figure(progress.total)} done`
  const done = report ?? found
  if (done) return done.text
  return count > 0 ? `${figure(count)} selected` : ''
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
      <button type="button" className="button" onClick={onStop}>
        Stop
      </button>
    </>
  )
}

interface ActionsProps {
  readonly count: number
  readonly filter: MessageFilter
  readonly onAct: (action: BulkAction) => void
  readonly onClear: (() => void) | undefined
}

function Actions({ count, filter, onAct, onClear }: ActionsProps) {
  const [asking, setAsking] = useState<'assign' | 'tag' | 'snooze' | 'delete' | null>(null)
  const mayDelete = useMayCall()(messages.delete)
  useShortcuts({ Escape: onClear })
  const { status } = filter
  const mayBeClosed = status !== 'open' && status !== 'spam' && !filter.overdue
  const close = () => setAsking(null)
  const what = messageCount(count)
  const button = (label: string, onClick: () => void, kind = '') => (
    <button type="button" className={`button button-link ${kind}`} onClick={onClick}>
      {label}
    </button>
  )
  return (
    <>
      {count > 0 && (
        <>
          {button('Assign', () => setAsking('assign'))}
          {button('Tag', () => setAsking('tag'))}
          {button('Snooze', () => setAsking('snooze'))}
          {status !== 'closed' &&
            button('Close', () => onAct({ change: { status: 'closed' }, words: 'closed' }))}
          {mayBeClosed && button('Reopen', () => onAct({ change: { status: 'open' }, words: 'reopened' }))}
          {status === 'spam'
            ? button('Not spam', () => onAct({ change: { status: 'open' }, words: 'opened, no longer spam' }))
            : button('Spam', () => onAct({ change: { status: 'spam' }, words: 'marked as spam' }))}
          {button('Mark read', () => onAct({ change: { isRead: true }, words: 'marked as read' }))}
        </>
      )}
      <button type="button" className="button button-link" onClick={onClear}>
        Clear <kbd>Esc</kbd>
      </button>
      {count > 0 && mayDelete && button('Delete', () => setAsking('delete'), 'inbox-bulk-delete')}
      <Suspense>
        {asking === 'assign' && <AssignDialog what={what} onAct={onAct} onClose={close} />}
        {asking === 'snooze' && <SnoozeDialog what={what} onAct={onAct} onClose={close} />}
        {asking === 'tag' && <TagDialog what={what} onAct={onAct} onClose={close} />}
        {asking === 'delete' && <DeleteManyDialog what={what} onAct={onAct} onClose={close} />}
      </Suspense>
    </>
  )
}
