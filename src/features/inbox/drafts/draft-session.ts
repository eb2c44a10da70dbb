import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { Draft } from '../conversation/contract.ts'

/** Milliseconds after the last key. */
const AUTOSAVE_DELAY = 1000
/** Milliseconds before a failed save is tried again; doubled each time. */
const FIRST_RETRY = 1000
/** Milliseconds. Longer, and somebody whose connection is back would wait for it. */
const LONGEST_RETRY = 30_000

/**
 * `waiting`: typed, and saved soon. `failed`: tried again by itself. `refused`: tried again when it has changed. `conflict`:
 * nothing is saved until its writer has chosen.
 */
type SaveStatus = 'saved' | 'waiting' | 'saving' | 'failed' | 'refused' | 'conflict'

export interface DraftState {
  readonly body: string
  readonly status: SaveStatus
  /** ISO 8601; null while nothing is saved. */
  readonly savedAt: string | null
  /** Why it was not saved. */
  readonly failure: string
  /** What the same person has saved in another window. */
  readonly other: string | null
  /** Whether it is being sent. */
  readonly isHeld: boolean
}

/** What is typed and not saved. */
export interface DraftBackup {
  readonly body: string
  readonly version: number
}

interface Dependencies {
  /** @throws {ApiError} */
  save(body: string, version: number): Promise<unknown>
  /** Backs up what is not saved; null when all is. */
  keep(backup: DraftBackup | null): void
  /** @returns what cancels it */
  schedule(run: () => void, milliseconds: number): () => void
  now(): string
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return 'something unexpected happened'
  return error.isOffline ? 'offline' : error.said.replace(/\.$/, '') || 'the server failed'
}

type Stored = Pick<Draft, 'body' | 'version'> & { readonly updatedAt: string | null }

const NONE: Stored = { body: '', version: 0, updatedAt: null }

export type DraftSession = ReturnType<typeof createDraftSession>

/** Saves what one person writes about one message, with one request in flight. It never discards a typed text. */
export function createDraftSession(backup: DraftBackup | null, { save, keep, schedule, now }: Dependencies) {
  let stored: Stored = { ...NONE, version: backup?.version ?? 0 }
  let running: Promise<void> | null = null
  let failures = 0
  /** Counts what happened here, so that a reply that is older than that is recognised. */
  let moment = 0
  /** Whether the server may have deleted the draft for an attempt to send it whose answer was lost. */
  let mayBeSent = false
  let cancel = () => {}
  const store = createStateStore<DraftState>({
    body: backup?.body ?? '',
    status: 'saved',
    savedAt: null,
    failure: '',
    other: null,
    isHeld: false,
  })
  const { read, set } = store

  /** What has failed stays so until it is saved: nobody must read that it is being saved for as long as they are offline. */
  function unlessFailed(status: SaveStatus): SaveStatus {
    return failures > 0 ? 'failed' : status
  }

  function plan(milliseconds: number) {
    cancel()
    if (!read().isHeld) cancel = schedule(() => void saveNow(), milliseconds)
  }

  function change(body: string) {
    moment++
    const isAsking = read().status === 'conflict'
    set({ body, ...(!isAsking && { status: unlessFailed(running ? 'saving' : 'waiting') }) })
    keep({ body, version: stored.version })
    if (!isAsking) plan(AUTOSAVE_DELAY)
  }

  async function saveNow(): Promise<void> {
    cancel()
    if (running) return await running
    const { body, status } = read()
    if (status === 'saved' || status === 'conflict') return
    if (body === stored.body) return settle(stored)
    running = saveOnce(body)
    await running
  }

  async function saveOnce(body: string) {
    moment++
    set({ status: unlessFailed('saving') })
    const { version } = stored
    const error = await save(body, version).then(
      () => null,
      (error: unknown) => error ?? new Error(),
    )
    running = null
    moment++
    if (error) fail(error, body)
    else settle({ body, version: body ? version + 1 : 0, updatedAt: now() })
  }

  /** The server has this. */
  function settle(draft: Stored) {
    stored = draft
    failures = 0
    const isAll = read().body === draft.body
    set({
      status: isAll ? 'saved' : 'waiting',
      savedAt: draft.body ? draft.updatedAt : null,
      failure: '',
      other: null,
    })
    keep(isAll ? null : { body: read().body, version: stored.version })
    if (!isAll) plan(AUTOSAVE_DELAY)
  }

  function fail(error: unknown, sent: string) {
    const other = otherDraft(error)
    if (other !== undefined) return resolveConflict(other ?? NONE, sent)
    const isFinal = error instanceof ApiError && isRefused(error)
    if (isFinal) failures = 0
    set({ status: isFinal ? 'refused' : 'failed', failure: describe(error) })
    if (!isFinal) plan(Math.min(FIRST_RETRY * 2 ** failures++, LONGEST_RETRY))
  }

  /** Another window has saved this, or an earlier request of this one did without a reply. */
  function resolveConflict(theirs: Stored, sent: string) {
    if (theirs.body === sent) return settle(theirs)
    stored = theirs
    if (theirs.body) return set({ status: 'conflict', other: theirs.body })
    // It was sent or deleted there: this text is the only one.
    set({ status: 'waiting' })
    plan(0)
  }

  function replace(body: string, draft: Stored) {
    cancel()
    moment++
    stored = draft
    set({ body, status: 'waiting' })
    settle(draft)
  }

  if (backup?.body) {
    set({ status: 'waiting' })
    plan(AUTOSAVE_DELAY)
  }
  return {
    read,
    subscribe: store.subscribe,
    change,
    saveNow,
    moment: () => moment,
    /** Takes what the server has, unless something was typed or saved here since `asked`, when it was asked for. */
    receive(draft: Draft | null, asked: number) {
      if (asked !== moment || running || read().status !== 'saved') return
      replace(draft?.body ?? '', draft ?? NONE)
    },
    /** Saves nothing until `release`; waits for what is being saved. */
    async hold() {
      set({ isHeld: true })
      cancel()
      await running
    },
    /** @param isUnknown whether it may have been sent */
    release(isUnknown = false) {
      mayBeSent ||= isUnknown
      set({ isHeld: false })
      if (read().status !== 'saved' && read().status !== 'conflict') plan(0)
    },
    /** What was written has been sent, and the server has deleted the draft. One that was saved since then still has to be. */
    clear() {
      set({ isHeld: false })
      replace('', mayBeSent ? stored : NONE)
      mayBeSent = false
    },
    /** The server has put this text into the draft. What was typed since the last save comes after it. */
    restore(body: string) {
      const typed = read().body === stored.body ? '' : read().body
      replace(body, { body, version: stored.version + 1, updatedAt: now() })
      if (typed) change(`${body}\n\n${typed}`)
    },
    keepMine() {
      set({ status: 'waiting', other: null })
      plan(0)
    },
    takeOther() {
      replace(read().other ?? read().body, { ...stored, updatedAt: now() })
    },
  }
}

const Changed = z.object({ draft: z.nullable(Draft) })

/** The stored draft when the save was refused because of it; undefined for other errors. */
function otherDraft(error: unknown): Draft | null | undefined {
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return undefined
  return Changed.safeParse(error.body).data?.draft
}

/** Whether the same request would be refused again. */
function isRefused({ status, isOffline }: ApiError): boolean {
  return !isOffline && status >= 400 && status < 500 && status !== 429 && status !== 401
}

/** A value that components can follow with `useSyncExternalStore`. It outlives them. */
export interface StateStore<State> {
  read(): State
  set(change: Partial<State>): void
  subscribe(listener: () => void): () => void
}

export function createStateStore<State extends object>(first: State): StateStore<State> {
  let state = first
  const listeners = new Set<() => void>()
  return {
    read: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
