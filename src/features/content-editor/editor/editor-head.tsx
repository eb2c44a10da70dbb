import { lazy, Suspense, useState } from 'react'
import type { Finding } from '../../../content/claims/finding.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { content } from '../contract.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { StateBadge } from '../labels.tsx'
import type { EditorSession } from './editor-session.ts'
import { StatusLine } from './status-line.tsx'
import { useSaveFirst } from './use-save-first.ts'

/** Nobody needs it before the form. */
const PublishDialog = lazy(async () => ({
  default: (await import('../publishing/publish-dialog.tsx')).PublishDialog,
}))

const RemovalDialog = lazy(async () => ({ default: (await import('./removal-dialogs.tsx')).RemovalDialog }))

export function EditorHead() {
  const { open, state, session, mayEdit, showErrors } = useOpenEditor()
  const { document, needsReview } = open
  const isSite = document.kind === 'site'
  const [asked, setAsked] = useState<'publish' | 'schedule' | 'offline' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const [findings, setFindings] = useState<readonly Finding[]>([])
  const { isSaving: isChecking, saveFirst } = useSaveFirst(() => check(document.id, session))

  /** All that is not ready is listed first: the dialog would name it in rounds. */
  function begin(what: 'publish' | 'schedule') {
    if (isChecking) return
    saveFirst(({ errors, findings }) => {
      const isReady = Object.keys(errors).length === 0
      showErrors(errors, findings)
      setFindings(findings)
      if (isReady) setAsked(what)
    })
  }

  const isTyped = state.status !== 'saved' || state.revision !== open.draft.revision
  const title = isSite ? 'Site' : String(state.body.title) || 'Without a title'
  return (
    <div className="content-editor-head">
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /{' '}
        <StateBadge state={document.state === 'live' && isTyped ? 'changed' : document.state} />
        {!mayEdit && ' You may look at this, and not change it.'}
      </p>
      <ScreenHead title={title}>
        {mayEdit && (
          <>
            <Button kind="primary" isIdle={isChecking} onClick={() => begin('publish')}>
              {needsReview ? 'Ask for a review' : 'Publish'}
            </Button>
            {!needsReview && (
              <Button isIdle={isChecking} onClick={() => begin('schedule')}>
                Schedule
              </Button>
            )}
            {!isSite && (open.live || open.scheduled) && (
              <Button kind="quiet" onClick={() => setAsked('offline')}>
                Take offline
              </Button>
            )}
            {!isSite && (
              <Button kind="danger-quiet" onClick={() => setAsked('delete')}>
                Delete
              </Button>
            )}
          </>
        )}
      </ScreenHead>
      <StatusLine isTyped={isTyped} />
      <Suspense>
        {(asked === 'publish' || asked === 'schedule') && (
          <PublishDialog first={findings} isScheduling={asked === 'schedule'} onClose={close} />
        )}
        {(asked === 'offline' || asked === 'delete') && <RemovalDialog kind={asked} onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Milliseconds. On a slow line the dialog, which saves as well, does not wait for longer. */
const CHECK_TIME = 2000

/** Without an answer nothing is known to be wrong: then the dialog says what happens. */
async function check(id: string, session: EditorSession) {
  const late = new Promise<null>(resolve => setTimeout(resolve, CHECK_TIME, null))
  const checked = await Promise.race([saveAndCheck(id, session), late])
  return { errors: checked?.errors ?? {}, findings: checked?.findings ?? [] }
}

async function saveAndCheck(id: string, session: EditorSession) {
  await session.flush()
  return await call(content.check, { id }).catch(() => null)
}
