import { errorsOfFailure, type FormErrors } from '../../ui/form-errors.ts'
import { NoteDialog } from './note-dialog.tsx'
import { useAskForReview } from './review-queries.ts'

interface AskForReviewProps {
  readonly documentId: string
  /** Of the draft as it is stored and shown. */
  readonly revision: number
  /** ISO 8601; null for as soon as it is approved. */
  readonly liveFrom: string | null
  readonly onClose: () => void
  /** Gets what is wrong with the draft, by path. */
  readonly onInvalid: (errors: FormErrors) => void
}

/** The dialog in place of publishing, while that needs a second person. */
export function AskForReview({ documentId: id, revision, liveFrom, onClose, onInvalid }: AskForReviewProps) {
  const ask = useAskForReview()
  return (
    <NoteDialog
      title="Ask for a review"
      explanation="Somebody who has not worked on this must approve it. It goes live exactly as it is now; what you change afterwards waits for the next review."
      label="What changes (optional)"
      action="Ask for a review"
      isBusy={ask.isPending}
      onClose={onClose}
      onSubmit={note =>
        ask.mutate(
          { id, revision, note, ...(liveFrom !== null && { liveFrom }) },
          {
            onSuccess: onClose,
            onError(error) {
              onInvalid(errorsOfFailure(error))
              onClose()
            },
          },
        )
      }
    />
  )
}
