import { lazy, Suspense, useState } from 'react'
import { useMayCall } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { messages } from '../contract.ts'
import { enquiryCount } from '../list/format.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import type { BulkAction } from './use-bulk.ts'

/** Loaded when one is opened. */
const dialogs = () => import('./bulk-dialogs.tsx')
const AssignDialog = lazy(async () => ({ default: (await dialogs()).AssignDialog }))
const SnoozeDialog = lazy(async () => ({ default: (await import('./bulk-snooze.tsx')).SnoozeDialog }))
const TagDialog = lazy(async () => ({ default: (await dialogs()).TagDialog }))
const DeleteManyDialog = lazy(async () => ({ default: (await dialogs()).DeleteManyDialog }))

interface BulkActionsProps {
  readonly count: number
  readonly filter: MessageFilter
  readonly onAct: (action: BulkAction) => void
  readonly onClear: () => void
}

/** What can be done with the selected messages. */
export function BulkActions({ count, filter, onAct, onClear }: BulkActionsProps) {
  const [asking, setAsking] = useState<'assign' | 'tag' | 'snooze' | 'delete' | null>(null)
  const mayDelete = useMayCall()(messages.delete)
  useShortcuts({ Escape: onClear })
  const { status } = filter
  const mayBeClosed = status !== 'open' && status !== 'spam' && !filter.overdue
  const close = () => setAsking(null)
  const what = enquiryCount(count)
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
