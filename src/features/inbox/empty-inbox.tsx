import { EmptyState } from '../../ui/list-states.tsx'
import type { View } from './views.ts'

/** Why a view is empty, by its label. */
const hints: Readonly<Record<string, string>> = {
  All: 'Enquiries from the website appear here as soon as they arrive.',
  Open: 'No enquiry is open.',
  Mine: 'No open enquiry is assigned to you.',
  'Nobody’s': 'Every open enquiry is assigned to somebody.',
  Overdue: 'No reply is overdue.',
  Waiting: 'You wait for no visitor’s reply.',
  Snoozed: 'No enquiry is snoozed.',
  Closed: 'No enquiry has been closed.',
  Spam: 'No enquiry has been marked as spam.',
}

interface EmptyInboxProps {
  readonly view: View
  /** Whether there are more filters than those of the view. */
  readonly isFiltered: boolean
  readonly onClear: () => void
}

export function EmptyInbox({ view, isFiltered, onClear }: EmptyInboxProps) {
  const hint = isFiltered ? 'No messages match your search and filters.' : hints[view.label]
  return (
    <>
      <EmptyState title="No messages found" hint={hint ?? ''} />
      {(isFiltered || view.label !== 'All') && (
        <p className="load-more">
          <button type="button" className="button" onClick={onClear}>
            Show all messages
          </button>
        </p>
      )}
    </>
  )
}
