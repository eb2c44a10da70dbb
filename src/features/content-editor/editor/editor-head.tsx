import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Finding } from '../../../content/claims/finding.ts'
import { describeOfficeTime } from '../../../office-time.ts'
import { useUnsaved } from '../../../ui/autosave/use-autosave.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { formatShort } from '../../../ui/dates.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { content } from '../contract.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { StateBadge } from '../labels.tsx'
import { showValue } from '../rich-text/rich-text-lines.ts'
import { type EditorSession, type EditorState, useSaveFirst } from './editor-session.ts'

/** Nobody needs these before the form. */
const DuplicateButton = lazily(async () => (await import('./duplicate-button.tsx')).DuplicateButton)
const PublishDialog = lazily(async () => (await import('../publishing/publish-dialog.tsx')).PublishDialog)

const RemovalDialog = lazily(async () => (await import('./removal-dialogs.tsx')).RemovalDialog)

export function EditorHead() {
  const { open, state, mayEdit } = useOpenEditor()
  const { document, needsReview } = open
  const isSite = document.kind === 'site'
  const publishing = usePublishing()
  const [asked, setAsked] = useState<'offline' | 'delete' | null>(null)
  const isTyped = useIsTyped()
  const [params] = useSearchParams()
  // The list of samples that led here: of the content, or of the first steps.
  const from = params.get('from')
  const samplesUrl = from === 'samples' ? '/content?view=samples' : from && '/first-steps/samples'
  const title = isSite ? 'Site' : String(state.body.title) || 'Without a title'
  return (
    <div className="content-editor-head">
      <p className="quiet small content-editor-crumb">
        <a href={samplesUrl || '/content'}>{samplesUrl ? 'Samples' : 'Content'}</a> /{' '}
        <StateBadge state={document.state === 'live' && isTyped ? 'changed' : document.state} />
        {!mayEdit && ' You may look at this, and not change it.'}
      </p>
      <ScreenHead title={title}>
        {mayEdit && (
          <>
            <PublishButton {...publishing} />
            {!needsReview && (
              <Button isIdle={publishing.isChecking} onClick={() => publishing.begin('schedule')}>
                Schedule
              </Button>
            )}
            {!isSite && (
              <>
                {(open.live || open.scheduled) && (
                  <Button kind="quiet" onClick={() => setAsked('offline')}>
                    Take offline
                  </Button>
                )}
                <DuplicateButton />
                <Button kind="danger-quiet" onClick={() => setAsked('delete')}>
                  Delete
                </Button>
              </>
            )}
          </>
        )}
      </ScreenHead>
      <StatusLine isTyped={isTyped} />
      {publishing.dialog}
      {asked && <RemovalDialog kind={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

/** Whether the form has something that the stored draft did not have when it was opened. */
export function useIsTyped(): boolean {
  const { open, state } = useOpenEditor()
  return state.status !== 'saved' || state.revision !== open.draft.revision
}

/** What leads to a publication: a check, which names all that is not ready, and then the dialog. */
export function usePublishing() {
  const { open, session, showErrors } = useOpenEditor()
  const [asked, setAsked] = useState<'publish' | 'schedule' | null>(null)
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const { isSaving: isChecking, saveFirst } = useSaveFirst(() => check(open.document.id, session))

  /** All that is not ready is listed first: the dialog would name it in rounds. */
  function begin(what: 'publish' | 'schedule') {
    saveFirst(({ errors, findings }) => {
      const isReady = Object.keys(errors).length === 0
      showErrors(errors, findings)
      setFindings(findings)
      if (isReady) setAsked(what)
    })
  }

  const dialog = asked && (
    <PublishDialog first={findings} isScheduling={asked === 'schedule'} onClose={() => setAsked(null)} />
  )
  return { begin, isChecking, dialog }
}

type PublishButtonProps = Pick<ReturnType<typeof usePublishing>, 'begin' | 'isChecking'> & {
  readonly label?: string
}

export function PublishButton({ begin, isChecking, label = 'Publish' }: PublishButtonProps) {
  const { open } = useOpenEditor()
  return (
    <Button kind="primary" isIdle={isChecking} onClick={() => begin('publish')}>
      {open.needsReview ? 'Ask for a review' : label}
    </Button>
  )
}

/** Milliseconds. On a slow line the dialog, which saves as well, does not wait for longer. */
const CHECK_TIME = 2000

/** Without an answer nothing is known to be wrong: then the dialog says what happens. */
async function check(id: string, session: EditorSession) {
  const late = new Promise<null>(resolve => setTimeout(resolve, CHECK_TIME, null))
  const answer = session.flush().then(() => call(content.check, { id }))
  const checked = await Promise.race([answer.catch(() => null), late])
  return { errors: checked?.errors ?? {}, findings: checked?.findings ?? [] }
}

/**
 * Whether what was typed is saved, and what visitors see.
 * @param isTyped whether the form has something that the stored draft did not have when it was opened
 */
export function StatusLine({ isTyped }: { isTyped: boolean }) {
  const { open, state } = useOpenEditor()
  const { live, scheduled, timeZone, document } = open
  const { data: me } = useQuery(meQuery)
  // Somebody who restores a version, or has a second tab, is no other person.
  const isOther = state.otherEditor !== me?.name
  const unsaved = useUnsaved(state, '. Trying again')
  return (
    <div className="quiet small snug content-editor-status">
      <p role="status">
        {unsaved ?? describeSave(state)} ·{' '}
        {live ? `Live since ${formatShort(live.liveFrom)}` : 'Offline: visitors do not see it'}
        {live && (isTyped || document.state === 'changed') && ', with changes that are not published'}
      </p>
      {scheduled && (
        <p className="content-editor-scheduled">
          Version {scheduled.number} goes live {describeOfficeTime(scheduled.liveFrom, timeZone)}.
        </p>
      )}
      {state.otherEditor && isOther && state.conflicts.length === 0 && (
        <p>{state.otherEditor} is editing too. Both your changes are in the form.</p>
      )}
      {state.failure && <CopyText body={state.body} />}
    </div>
  )
}

function describeSave({ status, savedAt }: EditorState): string {
  if (status !== 'saved') return 'Saving …'
  return savedAt ? `Draft saved ${formatShort(savedAt)}` : 'Draft saved'
}

/** For somebody who has to leave before it is saved. A browser has no clipboard for plain HTTP, or may deny it. */
function CopyText({ body }: { body: EditorState['body'] }) {
  const [outcome, setOutcome] = useState<'copied' | 'denied' | null>(null)
  const text = showValue(body)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('denied')
    }
  }

  if (outcome === 'denied')
    return (
      <textarea
        className="control"
        ref={selectAll}
        aria-label="My text, to copy"
        value={text}
        rows={6}
        readOnly
      />
    )
  return <Button onClick={copy}>{outcome === 'copied' ? 'Copied' : 'Copy my text'}</Button>
}

function selectAll(field: HTMLTextAreaElement | null) {
  field?.focus()
  field?.select()
}
