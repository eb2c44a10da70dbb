import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/content/json.ts'
import {
  createEditorSession,
  type EditorSession,
  readStart,
  type Start,
} from '../../src/features/content-editor/editor/editor-session.ts'
import { ApiError } from '../../src/http/api-client.ts'

export const offline = new ApiError(500, {}, { isOffline: true })
export const start: Start = {
  base: { title: 'Fees', note: '' },
  body: { title: 'Fees', note: '' },
  revision: 1,
}

/** A server with one draft, and a clock that runs what is planned when the test says so. */
export function openSession(from = start, problems: Error[] = [], losses: Error[] = []) {
  let draft = { body: from.base, revision: from.revision, editedBy: 'Ben', editedAt: '' }
  let planned: (() => void) | null = null
  const delays: number[] = []
  let inFlight = 0
  const saves: JsonObject[] = []
  const session = createEditorSession(
    from,
    async (body, revision) => {
      assert.equal(++inFlight, 1)
      await Promise.resolve()
      inFlight--
      const problem = problems.shift()
      if (problem) throw problem
      if (revision !== draft.revision)
        throw new ApiError(409, Object.assign({ code: 'draft_changed' }, { draft }))
      draft = { ...draft, body, revision: revision + 1, editedBy: 'Ana' }
      saves.push(body)
      const loss = losses.shift()
      if (loss) throw loss
      return { revision: draft.revision }
    },
    {
      schedule(run, milliseconds) {
        planned = run
        delays.push(milliseconds)
        return () => {
          if (planned === run) planned = null
        }
      },
      now: () => '2026-11-22T09:00:00.000Z',
    },
  )
  async function step() {
    planned?.()
    for (let tick = 0; tick < 5; tick++) await Promise.resolve()
  }

  return {
    session,
    saves,
    delays,
    step,
    stored: () => draft.body,
    restoreDatabase() {
      draft = { ...draft, body: from.base, revision: from.revision - 1 }
    },
    isPlanned: () => planned !== null,
    otherSaves(change: JsonObject) {
      draft = { ...draft, body: { ...draft.body, ...change }, revision: draft.revision + 1, editedBy: 'Ben' }
    },
    /** Until nothing is planned any more. */
    async pass() {
      for (let count = 0; count < 20; count++) await step()
    },
  }
}

/** What the browser keeps of a session, read again. */
export function backupOf(session: EditorSession): Start {
  const start = readStart(JSON.parse(JSON.stringify(session.backup())))
  assert.ok(start)
  return start
}
