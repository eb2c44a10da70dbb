import { type FormEvent, useId, useState } from 'react'
import type { Finding } from '../../content/claims/finding.ts'
import { ApiError } from '../../http/api-client.ts'
import { describeOfficeTime, fromOfficeClock, placeOf, toOfficeClock } from '../../office-time.ts'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { errorsOfFailure, type FormErrors } from '../../ui/form-errors.ts'
import { showToast } from '../../ui/toast.ts'
import { saveBeforePublishing } from './before-publishing.ts'
import { addFindings, findingsOf, type Reasons, toOverrides } from './claim-findings.ts'
import type { GuardedClaim } from './claim-guard.ts'
import { ClaimList } from './claim-list.tsx'
import type { OpenDocument, PublishedVersion } from './contract.ts'
import type { EditorSession } from './editor-session.ts'
import { describeField } from './forms.ts'
import { usePublish } from './queries.ts'
import { ReplacedSchedule } from './replaced-schedule.tsx'
import { useAskForReview } from './review-queries.ts'
import { draftOf } from './save-failures.ts'
import { useSaveFirst } from './use-save-first.ts'

interface PublishDialogProps {
  readonly open: OpenDocument
  readonly session: EditorSession
  readonly isScheduling: boolean
  readonly onErrors: (errors: FormErrors) => void
  /** In the draft: a sample that has a reason now is confirmed. */
  readonly claims: readonly GuardedClaim[]
  /** For claims. They stay while somebody leaves the dialog to change another sentence. */
  readonly reasons: Reasons
  readonly onReasons: (reasons: Reasons) => void
  /** Shows a field of the form. */
  readonly onPick: (path: string) => void
  readonly onClose: () => void
}

/**
 * Publishes the draft as it is in the form, now or at a time, or asks for a review where that needs a second person. What is
 * typed is saved first.
 */
export function PublishDialog({
  open,
  session,
  isScheduling,
  onErrors,
  onClose,
  ...props
}: PublishDialogProps) {
  const { document, timeZone, needsReview } = open
  const formId = useId()
  const [note, setNote] = useState('')
  const [time, setTime] = useState(() => (isScheduling ? toOfficeClock(new Date(), timeZone) : ''))
  const [problems, setProblems] = useState<readonly string[]>([])
  const [seen] = useState(session.read().merges)
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const publish = usePublish()
  const ask = useAskForReview()
  const { isSaving, saveFirst } = useSaveFirst(() => saveBeforePublishing(session, seen))
  const isBusy = isSaving || publish.isPending || ask.isPending
  const samples = props.claims.filter(({ isSample }) => isSample)
  const words = needsReview ? inReview : isScheduling ? forLater : forNow

  function submit(event: FormEvent) {
    event.preventDefault()
    const liveFrom = fromOfficeClock(time, timeZone)
    if (isScheduling && !liveFrom) return setProblems(['Choose a date and a time.'])
    saveFirst(obstacle => (obstacle ? setProblems([obstacle]) : send(liveFrom)))
  }

  function send(liveFrom: Date | null) {
    const { revision } = session.read()
    const when = liveFrom && { liveFrom: liveFrom.toISOString() }
    const publication = {
      id: document.id,
      revision,
      note,
      ...when,
      overrides: toOverrides(addFindings(samples, findings), props.reasons),
    }
    if (needsReview) return ask.mutate(publication, { onSuccess: finish, onError: showProblems })
    publish.mutate(publication, {
      onSuccess({ version }) {
        showPublished(version, liveFrom !== null && liveFrom > new Date(), timeZone)
        finish()
      },
      onError: showProblems,
    })
  }

  function finish() {
    onErrors({})
    onClose()
  }

  function showProblems(error: Error) {
    const draft = draftOf(error)
    if (draft) session.receive(draft)
    const { liveFrom: timeError, ...fieldErrors } = errorsOfFailure(error)
    const found =
      error instanceof ApiError && error.code === 'path_taken' ? { path: error.message } : fieldErrors
    const claims = findingsOf(error)
    if (claims.length > 0) {
      setProblems([])
      return setFindings(addFindings(findings, claims))
    }
    if (Object.keys(found).length === 0) return setProblems([timeError ?? (error.message || words.failure)])
    leave(() => onErrors(found))
  }

  /** The dialog gives the focus back to its button before something else takes it. */
  function leave(next: () => void) {
    onClose()
    setTimeout(next)
  }

  const timeField = (
    <TextField
      label={needsReview ? 'Date and time (optional)' : 'Date and time'}
      hint={`${placeOf(timeZone)} time, where the office is.${words.timeHint}`}
      type="datetime-local"
      value={time}
      onChange={event => setTime(event.target.value)}
    />
  )

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
            {isBusy ? words.busy : words.action}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        {words.explanation && <p>{words.explanation}</p>}
        <ReplacedSchedule {...open} />
        <ClaimList
          findings={findings}
          reasons={props.reasons}
          onReasons={props.onReasons}
          labelOf={path => describeField(document.kind, session.read().body, path)}
          onPick={path => leave(() => props.onPick(path))}
        />
        {isScheduling && !needsReview && timeField}
        <TextField
          label="Note (optional)"
          hint="For colleagues, in the history: what changed and why."
          maxLength={300}
          autoComplete="off"
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        {needsReview && timeField}
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

const forNow = {
  title: 'Publish',
  action: 'Publish now',
  busy: 'Publishing …',
  failure: 'It could not be published.',
  explanation: '',
  timeHint: '',
}

const forLater = { ...forNow, title: 'Schedule', action: 'Schedule' }

const inReview = {
  title: 'Ask for a review',
  action: 'Ask for a review',
  busy: 'Sending …',
  failure: 'The review could not be asked for.',
  explanation:
    'Somebody who has not worked on this must approve it. It goes live exactly as it is now; what you change afterwards waits for the next review.',
  timeHint: ' Leave it empty to go live as soon as it is approved.',
}

function showPublished({ number, liveFrom }: PublishedVersion, isLater: boolean, timeZone: string) {
  const description = isLater
    ? `Version ${number} goes live ${describeOfficeTime(liveFrom, timeZone)}.`
    : `Version ${number} is live.`
  showToast({ title: isLater ? 'Scheduled' : 'Published', description })
}
