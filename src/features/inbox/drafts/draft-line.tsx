import { useUnsaved } from '../../../ui/autosave/use-autosave.ts'
import { Button } from '../../../ui/button.tsx'
import { formatClock } from '../../../ui/dates.ts'
import type { DraftSession, DraftState } from './drafts.ts'

export function DraftLine(draft: DraftState) {
  const unsaved = useUnsaved(draft, '. It is kept in this window and saved by itself')
  if (unsaved)
    return (
      <p className="quiet small inbox-draft-line" role="status">
        {unsaved}.
      </p>
    )
  const { body, status, savedAt } = draft
  const saved = body && savedAt ? `Draft saved ${formatClock(savedAt)}` : ''
  return <p className="quiet small inbox-draft-line">{status === 'saved' ? saved : 'Saving draft …'}</p>
}

/** Asks which of two texts stays, when the same person has written another one in another window. */
export function DraftConflict({ session, body, conflicts: [other] }: DraftState & { session: DraftSession }) {
  if (other === undefined) return null
  return (
    <div className="warning small inbox-composer-notice" role="alert">
      <p>You have changed this draft in another window. There it says:</p>
      <p className="break inbox-text inbox-composer-quote" dir="auto">
        {other}
      </p>
      <div className="line wrap">
        <Button onClick={() => session.choose(other)}>Use that text</Button>
        <Button onClick={() => session.choose(body)}>Keep the text below</Button>
      </div>
    </div>
  )
}
