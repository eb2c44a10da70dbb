import { lazy, Suspense, useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { type Message, type MessageFilter, messages } from './contract.ts'
import { type BulkAction, type BulkProgress, type BulkReport, useBulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

/** Loaded when one is opened. */
const dialogs = () => import('./bulk-dialogs.tsx')
const AssignDialog = lazy(async () => ({ default: (await dialogs()).AssignDialog }))
const TagDialog = lazy(async () => ({ default: (await dialogs()).TagDialog }))
const DeleteManyDialog = lazy(async () => ({ default: (await dialogs()).DeleteManyDialog }))

interface BulkBarProps {
  readonly selection: Selection
  /** The loaded messages of the list. */
  readonly shown: readonly Message[]
  readonly filter: MessageFilter
  /** Called when nothing is selected any more because somebody wants that. */
  readonly onClear: () => void
}

/** What can be done with the selected messages, below the list; then its progress, and what came of it. */
export function BulkBar({ selection, shown, filter, onClear }: BulkBarProps) {
  const work = useBulk(selection.replace)
  const known = useKnown(shown, selection.ids)
  const count = selection.ids.size
  const report = work.report && isAbout(work.report, selection.ids) ? work.report : null
  const isShown = count > 0 || work.progress !== null || report !== null

  function clear() {
    work.dismiss()
    selection.replace([])
    onClear()
  }

  return (
    <section className="inbox-bulk" aria-label="Selected messages" hidden={!isShown}>
      <p role="status" className="inbox-bulk-status">
        {describe(count, work.progress, report)}
      </p>
      {work.progress && <Running {...work.progress} onStop={work.stop} />}
      {!work.progress && report && report.undo.length > 0 && (
        <button type="button" className="button" onClick={() => work.undo(report)}>
          Undo
        </button>
      )}
      {!work.progress && (
        <Actions
          count={count}
          isSpam={filter.status === 'spam'}
          onAct={action => work.start(action, [...selection.ids], known)}
          onClear={isShown ? clear : undefined}
        />
      )}
    </section>
  )
}

/** Whether nothing has been selected since. */
function isAbout({ failed, left }: BulkReport, ids: ReadonlySet<string>): boolean {
  const kept = new Set([...failed.map(({ id }) => id), ...left])
  return [...ids].every(id => kept.has(id))
}

/** The selected messages as they were shown last: a list that was refetched may have others. */
function useKnown(shown: readonly Message[], ids: ReadonlySet<string>): readonly Message[] {
  const [known, setKnown] = useState<ReadonlyMap<string, Message>>(new Map())
  const now = new Map([...known, ...shown.map(message => [message.id, message] as const)])
  for (const id of now.keys()) if (!ids.has(id)) now.delete(id)
  const isSame = now.size === known.size && [...now].every(([id, message]) => known.get(id) === message)
  if (!isSame) setKnown(now)
  return [...now.values()]
}

function describe(count: number, progress: BulkProgress | null, report: BulkReport | null): string {
  if (progress) return `${figure(progress.done)} of ${figure(progress.total)} done`
  if (report) return describeReport(report)
  return count > 0 ? `${figure(count)} selected` : ''
}

/** `38 messages closed. 2 not: This message no longer exists. 10 left as they were.` */
export function describeReport({ words, changed, failed, left }: BulkReport): string {
  const reasons = [...new Set(failed.map(({ message }) => message))].join(' ')
  return [
    changed.length > 0 || failed.length + left.length === 0
      ? `${messageCount(changed.length)} ${words}.`
      : '',
    failed.length > 0 ? `${figure(failed.length)} could not be changed: ${reasons}.`.replace('..', '.') : '',
    left.length > 0 ? `${figure(left.length)} left as they were.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function Running({ done, total, onStop }: BulkProgress & { readonly onStop: () => void }) {
  return (
    <>
      <progress className="inbox-bulk-progress" aria-label="Progress" value={done} max={total} />
      <button type="button" className="button" onClick={onStop}>
        Stop
      </button>
    </>
  )
}

interface ActionsProps {
  readonly count: number
  readonly isSpam: boolean
  readonly onAct: (action: BulkAction) => void
  readonly onClear: (() => void) | undefined
}

function Actions({ count, isSpam, onAct, onClear }: ActionsProps) {
  const [asking, setAsking] = useState<'assign' | 'tag' | 'delete' | null>(null)
  const mayDelete = useMayCall()(messages.delete)
  useShortcuts({ Escape: onClear })
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
          {button('Close', () => onAct({ change: { status: 'closed' }, words: 'closed' }))}
          {isSpam
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
        {asking === 'tag' && <TagDialog what={what} onAct={onAct} onClose={close} />}
        {asking === 'delete' && <DeleteManyDialog what={what} onAct={onAct} onClose={close} />}
      </Suspense>
    </>
  )
}

const figure = (count: number) => count.toLocaleString('en-AU')
const messageCount = (count: number) => `${figure(count)} ${count === 1 ? 'message' : 'messages'}`
