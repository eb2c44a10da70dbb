import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { meQuery } from '../../portal/me-query.ts'
import { call } from '../../ui/client.ts'
import { keepInput, restoreInput, useInputBackup } from '../../ui/input-backup.ts'
import { content, type OpenDocument } from './contract.ts'
import { createEditorSession, type EditorSession, type Start } from './editor-session.ts'
import type { JsonObject } from './json.ts'
import { keepBackups, readStart } from './session-backup.ts'

interface Save {
  readonly id: string
  readonly body: JsonObject
  readonly revision: number
}

/** The session of an open document, for as long as its screen is shown. */
export function useEditorSession({ document: { id }, draft }: Pick<OpenDocument, 'document' | 'draft'>) {
  const { mutateAsync } = useMutation({
    mutationFn: ({ body, ...rest }: Save) => call(content.saveDraft, { ...rest, body: { ...body } }),
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
  useBackups(session, form)
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

/** For a tab that crashes, or is reloaded without a connection. */
function useBackups(session: EditorSession, form: string) {
  const userId = useQuery(meQuery).data?.id
  useEffect(() => {
    if (!userId) return
    const write = (start: Start | null) => keepInput(userId, form, start)
    const { keep, stop } = keepBackups(session, { write, schedule })
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      stop()
    }
  }, [session, form, userId])
}

function schedule(run: () => void, milliseconds: number) {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
}
