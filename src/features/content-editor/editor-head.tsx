import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import type { FormErrors } from '../../ui/form-errors.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import type { OpenDocument } from './contract.ts'
import type { EditorSession, EditorState } from './editor-session.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { useUnpublish } from './queries.ts'
import { StateBadge } from './state-badge.tsx'
import { StatusLine } from './status-line.tsx'

interface EditorHeadProps {
  readonly open: OpenDocument
  readonly state: EditorState
  readonly session: EditorSession
  readonly mayEdit: boolean
  readonly onErrors: (errors: FormErrors) => void
  readonly onPublished: () => void
}

/** The title of the document, its state and what can be done with it. */
export function EditorHead({ open, state, session, mayEdit, onErrors, onPublished }: EditorHeadProps) {
  const { document } = open
  const [asked, setAsked] = useState<'publish' | 'schedule' | 'offline' | null>(null)
  const close = () => setAsked(null)
  const title = document.kind === 'site' ? 'Site' : String(state.body.title) || 'Without a title'
  return (
    <div className="content-editor-head">
      <p className="content-editor-crumb">
        <a href="/content">Content</a> / <StateBadge state={document.state} />
        {!mayEdit && ' You may look at this, and not change it.'}
      </p>
      <ScreenHead title={title}>
        {mayEdit && (
          <>
            {(open.live || open.scheduled) && (
              <button type="button" className="button button-quiet" onClick={() => setAsked('offline')}>
                Take offline
              </button>
            )}
            <button type="button" className="button" onClick={() => setAsked('schedule')}>
              Schedule
            </button>
            <button type="button" className="button button-primary" onClick={() => setAsked('publish')}>
              Publish
            </button>
          </>
        )}
      </ScreenHead>
      <StatusLine open={open} state={state} />
      {(asked === 'publish' || asked === 'schedule') && (
        <PublishDialog
          open={open}
          session={session}
          isScheduling={asked === 'schedule'}
          onErrors={onErrors}
          onPublished={onPublished}
          onClose={close}
        />
      )}
      {asked === 'offline' && <OfflineDialog id={document.id} onDone={onPublished} onClose={close} />}
    </div>
  )
}

function OfflineDialog({ id, onDone, onClose }: { id: string; onDone: () => void; onClose: () => void }) {
  const unpublish = useUnpublish()
  return (
    <ConfirmDialog
      title="Take this offline?"
      question="Visitors no longer find it, and a version that is scheduled does not go live. The draft stays."
      action="Take offline"
      isBusy={unpublish.isPending}
      onConfirm={() =>
        unpublish.mutate(
          { id },
          {
            onSettled() {
              onDone()
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
