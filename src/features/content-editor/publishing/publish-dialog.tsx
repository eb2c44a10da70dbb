import { useState } from 'react'
import { DEAD_LINK, type Finding, GONE_PERSON } from '../../../content/claims/finding.ts'
import { ApiError } from '../../../http/api-client.ts'
import { describeOfficeTime, fromOfficeClock, placeOf, toOfficeClock } from '../../../office-time.ts'
import { days } from '../../../platform/clock.ts'
import { Button } from '../../../ui/button.tsx'
import { errorsOfFailure, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { showToast } from '../../../ui/toast/toast.ts'
import { useChange } from '../../../ui/use-call.ts'
import { addFindings, findingsOf, toOverrides } from '../claims/claim-findings.ts'
import { ClaimList } from '../claims/claim-list.tsx'
import { content, NOTE_LENGTH, type OpenDocument, type PublishedVersion, TIME_PASSED } from '../contract.ts'
import { draftOf, type EditorSession, useSaveFirst } from '../editor/editor-session.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { describeChanges } from '../history/comparisons.ts'
import { reviews } from '../reviews/contract.ts'

interface PublishDialogProps {
  readonly isScheduling: boolean
  /** What the check before the dialog found. */
  readonly first: readonly Finding[]
  readonly onClose: () => void
}

/**
 * Publishes the draft as it is in the form, now or at a time, or asks for a review where that needs a second person. What is
 * typed is saved first.
 */
export function PublishDialog({ isScheduling, first, onClose }: PublishDialogProps) {
  const { open, session, claims, reasons, ...editor } = useOpenEditor()
  const { document, timeZone, needsReview } = open
  const [note, setNote] = useState(() =>
    open.live ? describeChanges(document.kind, open.live.body, session.read().body) : '',
  )
  const [time, setTime] = useState(() => (isScheduling ? toOfficeClock(firstTime(open), timeZone) : ''))
  /** The time that has passed, until another one is chosen. */
  const [passed, setPassed] = useState<string | null>(null)
  const hasPassed = passed !== null && passed === time
  const [problems, setProblems] = useState<readonly string[]>([])
  const [seen] = useState(session.read().merges)
  const [findings, setFindings] = useState(first)
  const publish = useChange(content.publish)
  const ask = useChange(reviews.ask, {
    done: ({ review: { number } }) => ({
      title: 'Review Requested',
      description: `Version ${number} goes live when somebody else approves it.`,
    }),
  })
  const { isSaving, saveFirst } = useSaveFirst(() => saveBeforePublishing(session, seen))
  const isBusy = isSaving || publish.isPending || ask.isPending
  // One that has a reason now is confirmed.
  const samples = claims.filter(({ isSample }) => isSample)
  const words = needsReview ? inReview : isScheduling ? forLater : forNow

  function submit() {
    const liveFrom = hasPassed ? null : fromOfficeClock(time, timeZone)
    if (isScheduling && !hasPassed && !liveFrom) return setProblems(['Choose a date and a time.'])
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
      overrides: toOverrides(addFindings(samples, findings), reasons),
    }
    if (needsReview) return ask.mutate(publication, { onSuccess: finish, onError: showProblems })
    publish.mutate(publication, {
      onSuccess({ version }) {
        showPublished(version, liveFrom !== null && version.liveFrom > version.createdAt, timeZone)
        finish()
      },
      onError: showProblems,
    })
  }

  function finish() {
    editor.showErrors({})
    onClose()
  }

  function showProblems(error: Error) {
    const draft = draftOf(error)
    if (draft) session.receive(draft)
    const { liveFrom: timeError, ...fieldErrors } = errorsOfFailure(error)
    const found =
      error instanceof ApiError && error.code === 'path_taken' ? { path: error.message } : fieldErrors
    const blocking = findingsOf(error)
    if (blocking.length > 0) {
      setProblems([])
      return setFindings(addFindings(findings, blocking))
    }
    if (timeError === TIME_PASSED) {
      setProblems([])
      return setPassed(time)
    }
    if (Object.keys(found).length === 0) return setProblems([timeError ?? (error.message || words.failure)])
    leave(() => editor.showErrors(found))
  }

  /** The dialog gives the focus back to its button before something else takes it. */
  function leave(next: () => void) {
    onClose()
    setTimeout(next)
  }

  const pick = (path: string) => leave(() => editor.pick(path))
  const timeField = (
    <TextField
      label={needsReview ? 'Date and time (optional)' : 'Date and time'}
      hint={`${placeOf(timeZone)} time, where the office is.${words.timeHint}`}
      type="datetime-local"
      value={time}
      onValue={setTime}
    />
  )

  return (
    <FormDialog
      title={words.title}
      action={hasPassed ? words.actionNow : words.action}
      busy={words.busy}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      {words.explanation && <p>{words.explanation}</p>}
      <ReplacedSchedule {...open} />
      <DeadEnds {...deadLinks} found={claims.filter(({ rule }) => rule === DEAD_LINK)} onPick={pick} />
      <DeadEnds {...gonePeople} found={claims.filter(({ rule }) => rule === GONE_PERSON)} onPick={pick} />
      <ClaimList findings={findings} onPick={pick} />
      {isScheduling && !needsReview && timeField}
      <TextField
        label="Note (optional)"
        hint="For colleagues, in the history: what changed and why. The fields that changed are filled in."
        maxLength={NOTE_LENGTH}
        autoComplete="off"
        value={note}
        onValue={setNote}
      />
      {needsReview && timeField}
      <div role="alert">
        {hasPassed && <p className="field-error">{words.passed}</p>}
        {problems.map(problem => (
          <p key={problem} className="field-error">
            {problem}
          </p>
        ))}
      </div>
    </FormDialog>
  )
}

const deadLinks = {
  label: 'Links that lead nowhere',
  lead: (count: number) => (count === 1 ? 'A link leads nowhere.' : `${count} links lead nowhere.`),
  meaning: 'Visitors find no such page; in a menu they do not see the link.',
}

const gonePeople = {
  label: 'People who are not on the team',
  lead: (count: number) => `${count === 1 ? 'One person' : `${count} people`} will not be shown.`,
  meaning: 'A page names somebody whom the team does not have; visitors see the page without them.',
}

interface DeadEndsProps extends Readonly<typeof deadLinks> {
  readonly found: readonly Finding[]
  readonly onPick: (path: string) => void
}

/** They keep nobody from publishing: what is missing may be published next. */
function DeadEnds({ label, lead, meaning, found, onPick }: DeadEndsProps) {
  const { labelOf } = useOpenEditor()
  if (found.length === 0) return null
  return (
    <section className="content-editor-dead-links" aria-label={label}>
      <p>
        <strong>{lead(found.length)}</strong> {meaning}
      </p>
      <ul>
        {found.map(({ path, quote, sentence }) => (
          <li key={path + sentence}>
            {quote}{' '}
            <Button kind="link" onClick={() => onPick(path)}>
              {labelOf(path)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const forNow = {
  title: 'Publish',
  action: 'Publish now',
  busy: 'Publishing …',
  actionNow: 'Publish now',
  passed: 'This time has passed: publish now?',
  failure: 'It could not be published.',
  explanation: '',
  timeHint: '',
}

const forLater = { ...forNow, title: 'Schedule', action: 'Schedule' }

const inReview = {
  title: 'Ask for a review',
  action: 'Ask for a review',
  busy: 'Sending …',
  actionNow: 'Ask without a time',
  passed: 'This time has passed: publish as soon as it is approved?',
  failure: 'The review could not be asked for.',
  explanation:
    'Somebody who has not worked on this must approve it. It goes live exactly as it is now; what you change afterwards waits for the next review.',
  timeHint: ' Leave it empty to go live as soon as it is approved.',
}

/** Nobody schedules for now: the morning of the office that comes next, and without office hours this time tomorrow. */
function firstTime({ nextMorning }: OpenDocument): Date {
  const now = Date.now()
  const morning = nextMorning === null ? 0 : Date.parse(nextMorning)
  return new Date(morning > now ? morning : now + days(1))
}

function showPublished({ number, liveFrom }: PublishedVersion, isLater: boolean, timeZone: string) {
  const description = isLater
    ? `Version ${number} goes live ${describeOfficeTime(liveFrom, timeZone)}.`
    : `Version ${number} is live.`
  showToast({ title: isLater ? 'Scheduled' : 'Published', description })
}

const UNSAVED = 'Your last changes could not be saved, so nothing was published.'

/**
 * Saves what is typed, which may merge what somebody else has written: nobody publishes that without having seen it.
 * @param seen `merges` of the session when the form was last looked at
 * @returns why the draft may not be published; null if it may
 */
export async function saveBeforePublishing(session: EditorSession, seen: number): Promise<string | null> {
  const isSaved = await session.flush()
  const { merges, otherEditor } = session.read()
  if (merges === seen) return isSaved ? null : UNSAVED
  return `${otherEditor ?? 'Somebody else'} has changed this meanwhile. Look at it, then publish.`
}

export function ReplacedSchedule({ scheduled, timeZone }: Pick<OpenDocument, 'scheduled' | 'timeZone'>) {
  if (!scheduled) return null
  return (
    <p>
      Version {scheduled.number} was to go live {describeOfficeTime(scheduled.liveFrom, timeZone)}. This takes
      its place.
    </p>
  )
}
