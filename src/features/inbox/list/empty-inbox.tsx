import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/list/list-states.tsx'
import type { View } from './view-links.tsx'

/** Why a view is empty, by its label. */
const hints: Readonly<Record<string, string>> = {
  All: 'Enquiries from the website appear here as soon as they arrive.',
  Open: 'No enquiry is open. New ones from the website appear here as soon as they arrive.',
  Mine: 'No open enquiry is assigned to you.',
  Unassigned: 'Every open enquiry is assigned to somebody.',
  Overdue: 'No reply is overdue.',
  Waiting: 'You wait for no visitor’s reply.',
  Snoozed: 'No enquiry is snoozed.',
  Scheduled: 'No reply is waiting to be sent later.',
  Following: 'You follow no enquiry. Choose Follow beside a conversation to get a notice of each new email.',
  Closed: 'No enquiry has been closed.',
  Spam: 'No enquiry has been marked as spam.',
}

interface EmptyInboxProps {
  readonly view: View
  /** Whether there are more filters than those of the view. */
  readonly isFiltered: boolean
  /** Whether words are looked for. */
  readonly isSearch: boolean
  readonly onClear: () => void
}

const SEARCHED =
  'Searched: names, email addresses, phone numbers, references, what visitors wrote and answered, tags, replies, calls and notes. A word is found by its beginning, “words in quotation marks” as a phrase.'

export function EmptyInbox({ view, isFiltered, isSearch, onClear }: EmptyInboxProps) {
  const filtered = isSearch ? SEARCHED : 'No enquiries match your filters.'
  const hint = isFiltered ? filtered : hints[view.label]
  return (
    <>
      <EmptyState title="No messages found" hint={hint ?? ''} />
      {(isFiltered || view.label !== 'All') && (
        <p className="load-more">
          <Button onClick={onClear}>Show all enquiries</Button>
        </p>
      )}
    </>
  )
}
