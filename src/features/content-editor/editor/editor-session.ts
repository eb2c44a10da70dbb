import * as z from 'zod/mini'
import { isEqual, type JsonObject } from '../../../content/json.ts'
import { ApiError } from '../../../http/api-client.ts'
import { Draft } from '../contract.ts'
import { type Conflict, mergeBodies, settle } from './merge.ts'

/** Milliseconds after the last key. */
const AUTOSAVE_DELAY = 1500
/** Milliseconds before a failed save is tried again; doubled each time. */
const FIRST_RETRY = 1000
/** Milliseconds. Longer, and somebody whose connection is back would wait for it. */
const LONGEST_RETRY = 30_000

/**
 * `waiting`: typed, and saved soon. `failed`: tried again by itself. `refused`: tried again when it has changed. `conflict`:
 * nothing is saved until somebody has chosen.
 */
export type SaveStatus = 'saved' | 'waiting' | 'saving' | 'failed' | 'refused' | 'conflict'

export interface EditorState {
  readonly body: JsonObject
  /** Of the stored draft that the body was made from. */
  readonly revision: number
  readonly status: SaveStatus
  /** ISO 8601; null while nothing was saved here. */
  readonly savedAt: string | null
  /** Why it was not saved; empty when the connection failed. */
  readonly failure: string
  readonly conflicts: readonly Conflict[]
  /** Who else has changed the draft meanwhile. */
  readonly otherEditor: string | null
  /** How often the draft of somebody else came into the body. */
  readonly merges: number
}

/** What the form starts from. `base` differs from `body` where something typed earlier was never saved. */
export interface Start {
  readonly base: JsonObject
  readonly body: JsonObject
  readonly revision: number
  /** Those that nobody had settled. `base` is then theirs, so a save without them would replace what they wrote. */
  readonly conflicts?: readonly Conflict[]
  readonly otherEditor?: string | null
  /** What was sent first without a reply, and may be stored. */
  readonly sent?: JsonObject | undefined
}

/** @returns what cancels it */
export type Schedule = (run: () => void, milliseconds: number) => () => void

interface Dependencies {
  /** @throws {ApiError} */
  save(body: JsonObject, revision: number): Promise<{ revision: number }>
  readonly schedule: Schedule
  now(): string
}

export type EditorSession = ReturnType<typeof createEditorSession>

/**
 * Keeps what is typed and saves it by itself, with one request in flight. When somebody else has saved, both changes are
 * merged. It never discards a typed text: what cannot be saved stays in `body`.
 */
export function createEditorSession(start: Start, { save, schedule, now }: Dependencies) {
  let base = start.base
  /** What may be stored although no reply said so. */
  let unconfirmed: readonly JsonObject[] = start.sent ? [start.sent] : []
  let running: Promise<void> | null = null
  let failures = 0
  let cancel = () => {}
  const listeners = new Set<() => void>()
  let state: EditorState = {
    ...{ body: start.body, revision: start.revision, status: 'saved', savedAt: null },
    ...{ failure: '', conflicts: start.conflicts ?? [], otherEditor: start.otherEditor ?? null },
    merges: 0,
  }

  function set(change: Partial<EditorState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function plan(milliseconds: number) {
    cancel()
    cancel = schedule(() => void saveNow(), milliseconds)
  }

  function change(body: JsonObject) {
    const isAsking = state.conflicts.length > 0
    set({ body, status: isAsking ? 'conflict' : running ? 'saving' : 'waiting' })
    if (!isAsking) plan(AUTOSAVE_DELAY)
  }

  /** Goes on from the conflicts that are left. */
  function resume(change: Partial<EditorState>) {
    set(change)
    const isSame = isEqual(state.body, base)
    if (isSame) base = state.body
    set({ status: state.conflicts.length > 0 ? 'conflict' : isSame ? 'saved' : 'waiting' })
    if (state.status === 'waiting') plan(0)
  }

  async function saveNow(): Promise<void> {
    cancel()
    if (running) return await running
    if (state.body === base || state.conflicts.length > 0) return
    running = saveOnce(state.body)
    await running
  }

  async function saveOnce(body: JsonObject) {
    set({ status: 'saving' })
    if (!unconfirmed.includes(body)) unconfirmed = [...unconfirmed, body]
    const error = await save(body, state.revision).then(
      ({ revision }) => saved(body, revision),
      (error: unknown) => error,
    )
    running = null
    if (error) fail(error)
    else if (state.status === 'waiting') plan(AUTOSAVE_DELAY)
  }

  function saved(body: JsonObject, revision: number) {
    base = body
    unconfirmed = []
    failures = 0
    const status = state.body === body ? 'saved' : 'waiting'
    set({ revision, status, savedAt: now(), failure: '' })
  }

  function fail(error: unknown) {
    const draft = draftOf(error)
    // A lower revision is of a database that was restored.
    if (draft && draft.revision !== state.revision) return take(draft)
    const reply = error instanceof ApiError ? error : null
    const isFinal = reply !== null && isRefused(reply)
    set({ status: isFinal ? 'refused' : 'failed', failure: reply?.said ?? '' })
    if (isFinal) return
    const wait = Math.min(FIRST_RETRY * 2 ** failures++, LONGEST_RETRY)
    plan((reply?.retryAfter ?? 0) * 1000 || wait)
  }

  /** Merges the stored draft, if it is newer. A save in flight learns of it by itself. */
  function receive(draft: Draft) {
    if (!running && draft.revision > state.revision) take(draft)
  }

  function take({ body: theirs, revision, editedBy }: Draft) {
    const isMine = unconfirmed.some(sent => isEqual(sent, theirs))
    const merged = mergeBodies(isMine ? theirs : base, state.body, theirs)
    const asked = new Set(merged.conflicts.map(({ path }) => path))
    const conflicts = [...state.conflicts.filter(({ path }) => !asked.has(path)), ...merged.conflicts]
    base = theirs
    unconfirmed = []
    const other = isMine ? {} : { otherEditor: editedBy, merges: state.merges + 1 }
    resume({ body: merged.value, revision, conflicts, ...other })
  }

  /** @returns whether everything is stored */
  async function flush(): Promise<boolean> {
    // Once for what is in flight, once for what was typed meanwhile, once after a merge.
    for (let tries = 0; tries < 3 && state.status !== 'saved'; tries++) await saveNow()
    return state.status === 'saved'
  }

  if (start.body !== start.base) resume({})
  return {
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change,
    receive,
    flush,
    /** Tries again at once, such as when the connection is back. */
    retry: () => void (state.status === 'failed' && saveNow()),
    settle(conflict: Conflict, chosen: 'mine' | 'theirs') {
      const conflicts = state.conflicts.filter(({ path }) => path !== conflict.path)
      // In the form is mine, or theirs where I removed it; either may have been edited since.
      const isKept = (chosen === 'mine') === (conflict.mine !== undefined)
      resume({ body: isKept ? state.body : settle(state.body, conflict, conflict[chosen]), conflicts })
    },
    /** From which another session goes on; null while everything is stored. */
    backup(): Start | null {
      const { status, body, revision, conflicts, otherEditor } = state
      return status === 'saved'
        ? null
        : { base, body, revision, conflicts, otherEditor, sent: unconfirmed[0] }
    },
    stop: () => cancel(),
  }
}

const WithDraft = z.object({ draft: Draft })

/** The stored draft, when a call was refused because somebody else has changed it. */
export function draftOf(error: unknown): Draft | null {
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return null
  return WithDraft.safeParse(error.body).data?.draft ?? null
}

/** Whether the same request would be refused again. Too many requests, and what fails in the server, may pass later. */
function isRefused({ status, isOffline }: ApiError): boolean {
  return !isOffline && status >= 400 && status < 500 && status !== 429
}
