import * as z from 'zod/mini'
import { isEqual, type JsonObject } from '../../../content/json.ts'
import { ApiError } from '../../../http/api-client.ts'
import {
  type AutosaveState,
  type Backup,
  createAutosave,
  type Timing,
} from '../../../ui/autosave/autosave.ts'
import { Draft } from '../contract.ts'
import { type Conflict, mergeBodies, settle } from './merge.ts'

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
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return null
  return WithDraft.safeParse(error.body).data?.draft ?? null
}
