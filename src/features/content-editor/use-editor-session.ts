import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../ui/client.ts'
import { restoreInput, useInputBackup } from '../../ui/input-backup.ts'
import { content, type OpenDocument } from './contract.ts'
import { createEditorSession } from './editor-session.ts'
import type { JsonObject } from './json.ts'
import { readStart } from './session-backup.ts'

interface Save {
  readonly id: string
  readonly body: JsonObject
  readonly revision: number
}

/** The session of an open document, for as long as its screen is shown. */
export function useEditorSession({ document: { id }, draft }: Pick<OpenDocument, 'document' | 'draft'>) {
  const { mutateAsync } = useMutation({
    mutationFn: ({ body, ...rest }: Save) => call(content.saveDraft, { ...rest, body: { ...body } }),
    // Without a connection it fails at once, so that the status says so.
    networkMode: 'always',
  })
  const form = `content ${id}`
  const [session] = useState(() =>
    createEditorSession(
      readStart(restoreInput(form)) ?? { base: draft.body, body: draft.body, revision: draft.revision },
      {
        save: (body, revision) => mutateAsync({ id, body, revision }),
        schedule(run, milliseconds) {
          const timer = setTimeout(run, milliseconds)
          return () => clearTimeout(timer)
        },
        now: () => new Date().toISOString(),
      },
    ),
  )
  const state = useSyncExternalStore(session.subscribe, session.read)
  useInputBackup(form, session.backup())
  useEffect(() => session.receive(draft), [session, draft])
  useEffect(() => {
    const saveHidden = () => void (document.visibilityState === 'hidden' && session.flush())
    addEventListener('online', session.retry)
    document.addEventListener('visibilitychange', saveHidden)
    return () => {
      removeEventListener('online', session.retry)
      document.removeEventListener('visibilitychange', saveHidden)
      session.stop()
    }
  }, [session])
  return { session, state }
}
