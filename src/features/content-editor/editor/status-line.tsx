import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeOfficeTime } from '../../../office-time.ts'
import { formatShort } from '../../../ui/dates.ts'
import { meQuery } from '../../../ui/me-query.ts'
import type { OpenDocument } from '../contract.ts'
import { showValue } from '../history/show-value.ts'
import type { EditorState } from './editor-session.ts'

interface StatusLineProps {
  readonly open: OpenDocument
  readonly state: EditorState
}

/** Whether what was typed is saved, and what visitors see. */
export function StatusLine({ open: { live, scheduled, timeZone, document, draft }, state }: StatusLineProps) {
  const isTyped = state.status !== 'saved' || state.revision !== draft.revision
  const { data: me } = useQuery(meQuery)
  // Somebody who restores a version, or has a second tab, is no other person.
  const isOther = state.otherEditor !== me?.name
  const hasFailed = state.status === 'failed' || state.status === 'refused'
  // While it is tried again, a person who copies the text keeps the field that they copy from.
  const [isUnsaved, setUnsaved] = useState(hasFailed)
  if (hasFailed && !isUnsaved) setUnsaved(true)
  if (state.status === 'saved' && isUnsaved) setUnsaved(false)
  return (
    <div className="quiet small snug content-editor-status">
      <p role="status">
        {describeSave(state)} ·{' '}
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
      {isUnsaved && <CopyText body={state.body} />}
    </div>
  )
}

function describeSave({ status, savedAt, failure }: EditorState): string {
  if (status === 'saving' || status === 'waiting') return 'Saving …'
  if (status === 'conflict') return 'Not saved: choose which text to keep'
  if (status === 'failed') return `Not saved: ${failure || 'no connection'}. Trying again`
  if (status === 'refused') return `Not saved: ${failure || 'the server refused it'}`
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
  return (
    <button type="button" className="button" onClick={copy}>
      {outcome === 'copied' ? 'Copied' : 'Copy my text'}
    </button>
  )
}

/** When the field appears. */
function selectAll(field: HTMLTextAreaElement | null) {
  field?.focus()
  field?.select()
}
