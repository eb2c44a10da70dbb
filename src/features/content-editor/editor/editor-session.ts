import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { isEqual, type JsonObject } from '../../../content/json.ts'
import { dateIn } from '../../../platform/clock.ts'
import {
  type AutosaveState,
  type Backup,
  backupSchema,
  createAutosave,
  type Schedule,
  type Timing,
  timing,
} from '../../../ui/autosave/autosave.ts'
import { listen, useSaveOnLeaving } from '../../../ui/autosave/use-autosave.ts'
import { call, write } from '../../../ui/client.ts'
import { keepInput, restoreInput, useInputBackup } from '../../../ui/form/input-backup.ts'
import { fieldsOf } from '../../../ui/form/use-write.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { useStore } from '../../../ui/state-store.ts'
import type { GuardContext, GuardedClaim } from '../claims/claim-guard.ts'
import { content, Draft, type OpenDocument } from '../contract.ts'
import type { ListedFact } from '../facts/contract.ts'
import { Conflict, mergeBodies, settle } from './merge.ts'

export type EditorState = AutosaveState<JsonObject, Conflict>
export type Start = Backup<JsonObject, Conflict>
export type EditorSession = ReturnType<typeof createEditorSession>

/** Saves what is typed into a document. When somebody else has saved, both changes are merged. */
export function createEditorSession(
  start: Start,
  save: (body: JsonObject, revision: number) => Promise<{ readonly revision: number }>,
  timing?: Timing,
) {
  const session = createAutosave<JsonObject, Conflict>({
    ...{ start, save, theirsOf: draftOf, isEqual },
    resolve(base, mine, theirs, known) {
      const { value, conflicts } = mergeBodies(base, mine, theirs)
      const asked = new Set(conflicts.map(({ path }) => path))
      return { body: value, conflicts: [...known.filter(({ path }) => !asked.has(path)), ...conflicts] }
    },
    timing,
  })
  return {
    ...session,
    settle(conflict: Conflict, chosen: 'mine' | 'theirs') {
      const { body, conflicts } = session.read()
      // In the form is mine, or theirs where I removed it; either may have been edited since.
      const isKept = (chosen === 'mine') === (conflict.mine !== undefined)
      session.settle(
        isKept ? body : settle(body, conflict, conflict[chosen]),
        conflicts.filter(({ path }) => path !== conflict.path),
      )
    },
  }
}

const WithDraft = z.object({ draft: Draft })

/** The stored draft, when a call was refused because somebody else has changed it. */
export function draftOf(error: unknown): Draft | null {
  return fieldsOf(error, 'draft_changed', WithDraft)?.draft ?? null
}

export function useEditorSession({ document: { id }, draft }: Pick<OpenDocument, 'document' | 'draft'>) {
  const client = useQueryClient()
  const form = `content ${id}`
  const [session] = useState(() =>
    createEditorSession(
      readStart(restoreInput(form)) ?? { base: draft.body, body: draft.body, revision: draft.revision },
      (body, revision) =>
        write(client, () =>
          call(content.saveDraft, { id, body: { ...body }, revision }, { keepalive: true }),
        ),
    ),
  )
  const state = useStore(session)
  useInputBackup(form, session.backup())
  useBackups(session, form)
  useEffect(() => session.receive(draft), [session, draft])
  useSaveOnLeaving(session.flush)
  useEffect(() => session.stop, [session])
  return { session, state }
}

/** For a tab that crashes, or is reloaded without a connection. */
function useBackups(session: EditorSession, form: string) {
  const userId = useQuery(meQuery).data?.id
  useEffect(() => {
    if (!userId) return
    const write = (start: Start | null) => keepInput(userId, form, start)
    const { keep, stop } = keepBackups(session, { write, schedule: timing.schedule })
    const unlisten = listen(['pagehide'], keep)
    return () => {
      unlisten()
      stop()
    }
  }, [session, form, userId])
}

/** Milliseconds between two backups. Longer, and a crash loses more; shorter, and typing in a long document gets slow. */
const BACKUP_INTERVAL = 2000

const Body = z.record(z.string(), z.unknown())

const Kept = backupSchema(Body, Conflict)

/** What was typed and not saved in an earlier session of the editor, from the storage of the browser; null if nothing was. */
export function readStart(stored: unknown): Start | null {
  return Kept.safeParse(stored).data ?? null
}

/**
 * Backs up what is typed for as long as it is not stored on the server.
 * @param write gets null when there is nothing to keep any more
 */
export function keepBackups(
  { backup, subscribe }: EditorSession,
  { write, schedule }: { write: (start: Start | null) => void; schedule: Schedule },
) {
  let cancel: (() => void) | null = null

  function keep() {
    cancel?.()
    cancel = null
    write(backup())
  }

  const unsubscribe = subscribe(() => {
    if (backup() === null) keep()
    else cancel ??= schedule(keep, BACKUP_INTERVAL)
  })
  if (backup()) keep()
  return {
    /** Backs up at once, such as when the tab is closed. */
    keep,
    stop() {
      unsubscribe()
      cancel?.()
      write(null)
    },
  }
}

/** Milliseconds after the last key: somebody who types is not interrupted in a sentence. */
const PAUSE = 800

/** What the claim check finds in the draft, checked again after each pause in typing. */
export function useClaims(
  { document: { language }, timeZone, claims: known }: OpenDocument,
  body: unknown,
  facts: readonly ListedFact[],
): readonly GuardedClaim[] {
  const [found, setFound] = useState<readonly GuardedClaim[]>([])
  useEffect(() => {
    let isLate = false
    const timer = setTimeout(() => {
      const show = (claims: readonly GuardedClaim[]) => isLate || setFound(claims)
      const [today, host] = [dateIn(new Date(), timeZone), location.hostname]
      void check(body, { language, today, known, facts, host }).then(show)
    }, PAUSE)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [body, language, timeZone, known, facts])
  return found
}

/** Without its script, such as while the network is away, nothing is found: publishing checks again. */
async function check(body: unknown, context: GuardContext): Promise<readonly GuardedClaim[]> {
  const rules = await import('../claims/claim-guard.ts').catch(() => null)
  return rules?.guard(body, context) ?? []
}

/** Saves what is typed before a write that is about it. A dialog stays until both have ended. */
export function useSaveFirst<Result>(save: () => Promise<Result>) {
  const [isSaving, setSaving] = useState(false)

  async function saveFirst(write: (result: Result) => void) {
    setSaving(true)
    write(await save())
    setSaving(false)
  }

  return { isSaving, saveFirst }
}
