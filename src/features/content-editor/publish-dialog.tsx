import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { errorsOfFailure, type FormErrors } from '../../ui/form-errors.ts'
import { showToast } from '../../ui/toast.ts'
import { describeFindings } from './claim-findings.ts'
import type { OpenDocument } from './contract.ts'
import { draftOf, type EditorSession } from './editor-session.ts'
import { describeOfficeTime, fromOfficeClock, placeOf, toOfficeClock } from './office-time.ts'
import { usePublish } from './queries.ts'

interface PublishDialogProps {
  readonly open: OpenDocument
  readonly session: EditorSession
  readonly isScheduling: boolean
  readonly onErrors: (errors: FormErrors) => void
  readonly onPublished: () => void
  readonly onClose: () => void
}

const UNSAVED = 'Your last changes could not be saved, so nothing was published.'

/** Publishes the draft as it is in the form, now or at a time. What is typed is saved first. */
export function PublishDialog({
  open,
  session,
  isScheduling,
  onErrors,
  onPublished,
  onClose,
}: PublishDialogProps) {
  const { document, timeZone } = open
  const formId = useId()
  const [note, setNote] = useState('')
  const [time, setTime] = useState(() => toOfficeClock(new Date(), timeZone))
  const [problems, setProblems] = useState<readonly string[]>([])
  const publish = usePublish()
  const liveFrom = isScheduling ? fromOfficeClock(time, timeZone) : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isScheduling && !liveFrom) return setProblems(['Choose a date and a time.'])
    if (!(await session.flush())) return setProblems([UNSAVED])
    const publication = { id: document.id, revision: session.read().revision, note }
    publish.mutate(
      { ...publication, ...(liveFrom && { liveFrom: liveFrom.toISOString() }) },
      {
        onSuccess({ version }) {
          const isLater = liveFrom !== null && liveFrom > new Date()
          const description = isLater
            ? `Version ${version.number} goes live ${describeOfficeTime(version.liveFrom, timeZone)}.`
            : `Version ${version.number} is live.`
          showToast({ title: isLater ? 'Scheduled' : 'Published', description })
          onPublished()
          onClose()
        },
        onError: showProblems,
      },
    )
  }

  function showProblems(error: Error) {
    const draft = draftOf(error)
    if (draft) session.receive(draft)
    const { liveFrom: timeError, ...fieldErrors } = errorsOfFailure(error)
    const found =
      error instanceof ApiError && error.code === 'path_taken' ? { path: error.message } : fieldErrors
    if (Object.keys(found).length === 0)
      return setProblems([
        timeError ?? (error.message || 'It could not be published.'),
        ...describeFindings(error),
      ])
    onClose()
    // The dialog gives the focus back to its button before the summary of the errors takes it.
    setTimeout(() => onErrors(found))
  }

  const action = isScheduling ? 'Schedule' : 'Publish now'
  return (
    <Dialog
      title={isScheduling ? 'Schedule' : 'Publish'}
      onClose={onClose}
      actions={
        <>
          <CancelButton />
          <button
            type="submit"
            form={formId}
            className="button button-primary"
            aria-disabled={publish.isPending}
          >
            {publish.isPending ? 'Publishing …' : action}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        {isScheduling && (
          <TextField
            label="Date and time"
            hint={`${placeOf(timeZone)} time, where the office is.`}
            type="datetime-local"
            value={time}
            onChange={event => setTime(event.target.value)}
          />
        )}
        <TextField
          label="Note (optional)"
          hint="For colleagues, in the history: what changed and why."
          maxLength={300}
          autoComplete="off"
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        <div role="alert">
          {problems.map(problem => (
            <p key={problem} className="field-error">
              {problem}
            </p>
          ))}
        </div>
      </form>
    </Dialog>
  )
}
