import { formatDate, formatDateTime } from '../../../ui/dates.ts'
import type { DraftSession, DraftState } from './draft-session.ts'

/** Whether what is typed is saved. */
export function DraftLine({ status, savedAt, failure }: DraftState) {
  if (status === 'failed' || status === 'refused')
    return (
      <p className="inbox-draft-line" role="status">
        Draft not saved: {failure || 'the server could not be reached.'}{' '}
        {status === 'failed' && 'It is kept in this window and saved again by itself.'}
      </p>
    )
  return <p className="inbox-draft-line">{status === 'saved' ? savedLine(savedAt) : 'Saving draft …'}</p>
}

const savedLine = (savedAt: string | null) => (savedAt ? `Draft saved ${timeOf(savedAt)}` : '')

const timeOf = (iso: string) => formatDateTime(iso).slice(formatDate(iso).length + 1)

/** Asks which of two texts stays, when the same person has written another one in another window. */
export function DraftConflict({ session, other }: { session: DraftSession; other: string | null }) {
  if (other === null) return null
  return (
    <div className="inbox-composer-notice" role="alert">
      <p>You have changed this draft in another window. There it says:</p>
      <p className="inbox-text inbox-composer-quote" dir="auto">
        {other}
      </p>
      <div className="inbox-composer-choices">
        <button type="button" className="button" onClick={session.takeOther}>
          Use that text
        </button>
        <button type="button" className="button" onClick={session.keepMine}>
          Keep the text below
        </button>
      </div>
    </div>
  )
}
