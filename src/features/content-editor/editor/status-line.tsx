import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeOfficeTime } from '../../../office-time.ts'
import { useUnsaved } from '../../../ui/autosave/use-autosave.ts'
import { Button } from '../../../ui/button.tsx'
import { formatShort } from '../../../ui/dates.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { showValue } from '../history/show-value.ts'
import type { EditorState } from './editor-session.ts'

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
