import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { messages } from '../contract.ts'
import { enquiryCount } from '../list/format.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import type { BulkDialogName } from './bulk-dialogs.tsx'
import type { BulkAction } from './use-bulk.ts'

/** Loaded when one is opened. */
const BulkDialog = lazily(async () => (await import('./bulk-dialogs.tsx')).BulkDialog)

interface BulkActionsProps {
  readonly count: number
  readonly filter: MessageFilter
  readonly onAct: (action: BulkAction) => void
  readonly onClear: () => void
}

export function BulkActions({ count, filter, onAct, onClear }: BulkActionsProps) {
  const [asking, setAsking] = useState<BulkDialogName | null>(null)
  const mayDelete = useMayCall()(messages.delete)
  useShortcuts({ Escape: onClear })
  const { status } = filter
  const mayBeClosed = status !== 'open' && status !== 'spam' && !filter.overdue
  const button = (label: string, onClick: () => void, className?: string) => (
    <Button kind="link" className={className} onClick={onClick}>
      {label}
    </Button>
  )
  const act = (label: string, change: BulkAction['change'], words: string) =>
    button(label, () => onAct({ change, words }))
  return (
    <>
      {count > 0 && (
        <>
          {button('Assign', () => setAsking('assign'))}
          {button('Tag', () => setAsking('tag'))}
          {button('Snooze', () => setAsking('snooze'))}
          {status !== 'closed' && act('Close', { status: 'closed' }, 'closed')}
          {mayBeClosed && act('Reopen', { status: 'open' }, 'reopened')}
          {status === 'spam'
            ? act('Not spam', { status: 'open' }, 'opened, no longer spam')
            : act('Spam', { status: 'spam' }, 'marked as spam')}
          {act('Mark read', { isRead: true }, 'marked as read')}
        </>
      )}
      <Button kind="link" onClick={onClear}>
        Clear <kbd>Esc</kbd>
      </Button>
      {count > 0 && mayDelete && button('Delete', () => setAsking('delete'), 'inbox-bulk-delete')}
      {asking && (
        <BulkDialog
          name={asking}
          what={enquiryCount(count)}
          onAct={action => {
            setAsking(null)
            onAct(action)
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}
