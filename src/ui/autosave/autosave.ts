import * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'
import { seconds } from '../../platform/clock.ts'
import { createStateStore } from '../state-store.ts'

/** After the last key. */
const PAUSE = seconds(1)
/** Before a failed save is tried again; doubled each time. */
const FIRST_RETRY = seconds(1)
/** Longer, and somebody whose connection is back would wait for it. */
const LONGEST_RETRY = seconds(30)

/** `waiting`: typed, and saved soon. `failed`: tried again by itself. `refused`: tried again when it has changed. */
type SaveStatus = 'saved' | 'waiting' | 'saving' | 'failed' | 'refused'

export interface AutosaveState<Body, Conflict> {
  readonly body: Body
  /** Of what is stored, from which the body was made. */
  readonly revision: number
  readonly status: SaveStatus
  /** ISO 8601; null while nothing was saved here. */
  readonly savedAt: string | null
  /** Why it was not saved the last time; empty once it is. */
  readonly failure: string
  /** What its writer has to decide before anything is saved. */
  readonly conflicts: readonly Conflict[]
  /** Who else has saved meanwhile. */
  readonly otherEditor: string | null
  /** How often what somebody else has saved came into the body. */
  readonly merges: number
  /** Whether nothing is saved because it is being sent. */
  readonly isHeld: boolean
}

/** What the server has. */
export interface Stored<Body> {
  readonly body: Body
  readonly revision: number
  /** ISO 8601 */
  readonly savedAt?: string | null
  readonly editedBy?: string | null
}

/** From which another session resumes, after a reload or a crash. */
export interface Backup<Body, Conflict> {
  /** What was stored. It differs from `body` where something typed was not saved. */
  readonly base: Body
  readonly body: Body
  readonly revision: number
  /** Those that nobody had settled. `base` is then theirs, so a save without them would replace what they wrote. */
  readonly conflicts?: readonly Conflict[]
  readonly otherEditor?: string | null
  /** What was sent first without a reply, and may be stored. */
  readonly sent?: Body | undefined
}

/** The schema of a backup in the storage of the browser. */
export const backupSchema = <Body extends z.ZodMiniType, Conflict extends z.ZodMiniType>(
  body: Body,
  conflict: Conflict,
) =>
  z.object({
    base: body,
    body,
    revision: z.number(),
    conflicts: z.array(conflict),
    otherEditor: z.nullable(z.string()),
    sent: z.optional(body),
  })

/** @returns what cancels it */
export type Schedule = (run: () => void, milliseconds: number) => () => void

/** What a test replaces. */
export interface Timing {
  readonly schedule: Schedule
  now(): string
}

export const timing: Timing = {
  schedule(run, milliseconds) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  now: () => new Date().toISOString(),
}

interface Options<Body, Conflict> {
  readonly start: Backup<Body, Conflict>
  /** @throws {ApiError} */
  save(body: Body, revision: number): Promise<{ readonly revision: number }>
  /** What is stored, when a save was refused because it is not what was read. */
  theirsOf(error: unknown): Stored<Body> | null
  /**
   * Decides what becomes of what was typed, when somebody else has saved.
   * @param base from which both started
   * @param known the conflicts that its writer has not settled yet
   */
  resolve(
    base: Body,
    mine: Body,
    theirs: Body,
    known: readonly Conflict[],
  ): Pick<AutosaveState<Body, Conflict>, 'body' | 'conflicts'>
  readonly isEqual?: (one: Body, other: Body) => boolean
  readonly timing?: Timing | undefined
}

/** Saves what is typed by itself, with one request in flight. It never discards a typed text: what cannot be saved stays in `body`. */
export function createAutosave<Body, Conflict>(options: Options<Body, Conflict>) {
  const { start, save, theirsOf, resolve, isEqual = Object.is } = options
  const { schedule, now } = options.timing ?? timing
  let base = start.base
  /** What may be stored although no reply said so. */
  const unconfirmed = new Set<Body>(start.sent === undefined ? [] : [start.sent])
  let running: Promise<void> | null = null
  /** In a row. */
  let failures = 0
  let cancel = () => {}
  const { read, set, subscribe } = createStateStore<AutosaveState<Body, Conflict>>({
    ...{ body: start.body, revision: start.revision, status: 'saved', savedAt: null, failure: '' },
    ...{ conflicts: start.conflicts ?? [], otherEditor: start.otherEditor ?? null, merges: 0 },
    isHeld: false,
  })

  function maySave() {
    const { status, conflicts, isHeld } = read()
    return status !== 'saved' && conflicts.length === 0 && !isHeld
  }

  function plan(milliseconds: number) {
    cancel()
    if (maySave()) cancel = schedule(() => void saveNow(), milliseconds)
  }

  /** What has failed stays so until it is saved: nobody must read that it is being saved for as long as they are offline. */
  const unlessFailed = (status: SaveStatus) => (failures > 0 ? 'failed' : status)

  function change(body: Body) {
    set({ body, status: unlessFailed(running ? 'saving' : 'waiting') })
    // After a failure the next attempt is planned already, for when the server may be asked again.
    if (failures === 0) plan(PAUSE)
  }

  const isStored = (body: Body) => unconfirmed.size === 0 && isEqual(body, base)

  /** Takes a change that is not typed, and saves what is not stored after it. */
  function resume(change: Partial<AutosaveState<Body, Conflict>>, pause = 0) {
    const { body, conflicts } = { ...read(), ...change }
    failures = 0
    const status = conflicts.length === 0 && isStored(body) ? 'saved' : 'waiting'
    set({ ...change, status, failure: '' })
    plan(pause)
  }

  async function saveNow(): Promise<void> {
    cancel()
    if (running) return await running
    if (!maySave()) return
    const { body } = read()
    if (isStored(body)) return resume({})
    running = saveOnce(body)
    await running
  }

  async function saveOnce(body: Body) {
    set({ status: unlessFailed('saving') })
    unconfirmed.add(body)
    try {
      const { revision } = await save(body, read().revision)
      running = null
      base = body
      unconfirmed.clear()
      resume({ revision, savedAt: now() }, PAUSE)
    } catch (error) {
      running = null
      fail(error)
    }
  }

  function fail(error: unknown) {
    const theirs = theirsOf(error)
    // A lower revision is of a database that was restored, or of what was sent or deleted.
    if (theirs && theirs.revision !== read().revision) return take(theirs)
    const { status, isOffline, said, retryAfter } = error instanceof ApiError ? error : UNEXPECTED
    // Too many requests may pass later, and so may what was refused because the session has ended: its writer signs in again.
    const isRefused = status < 500 && status !== 401 && status !== 429
    const failure = isOffline ? 'offline' : said.replace(/\.$/, '') || 'the server failed'
    set({ status: isRefused ? 'refused' : 'failed', failure })
    if (isRefused) {
      failures = 0
      return
    }
    const wait = Math.min(FIRST_RETRY * 2 ** failures++, LONGEST_RETRY)
    plan(retryAfter ? seconds(retryAfter) : wait)
  }

  /** Resolves what the server has. */
  function take({ body: theirs, revision, savedAt = read().savedAt, editedBy = null }: Stored<Body>) {
    const { body: mine, conflicts, merges } = read()
    const isMine = [...unconfirmed].some(sent => isEqual(sent, theirs))
    const resolved = resolve(isMine ? theirs : base, mine, theirs, conflicts)
    base = theirs
    unconfirmed.clear()
    resume({
      ...{ ...resolved, revision, savedAt },
      ...(!isMine && { otherEditor: editedBy, merges: merges + 1 }),
    })
  }

  resume({})
  return {
    read,
    subscribe,
    change,
    saveNow,
    take,
    /** Goes on with what its writer has chosen, and the conflicts that are left. */
    settle: (body: Body, conflicts: readonly Conflict[]) => resume({ body, conflicts }),
    /** Takes what somebody else has saved, if it is newer. A save in flight learns of it by itself. */
    receive(theirs: Stored<Body>) {
      if (!running && theirs.revision > read().revision) take(theirs)
    },
    /** @returns whether everything is stored */
    async flush(): Promise<boolean> {
      // Once for what is in flight, once for what was typed meanwhile, once after a merge.
      for (let tries = 0; tries < 3 && read().status !== 'saved'; tries++) await saveNow()
      return read().status === 'saved'
    },
    /** Saves nothing until `release`; waits for what is being saved. */
    async hold() {
      set({ isHeld: true })
      cancel()
      await running
    },
    release() {
      set({ isHeld: false })
      plan(0)
    },
    /** Null while everything is stored. */
    backup(): Backup<Body, Conflict> | null {
      const { status, body, revision, conflicts, otherEditor } = read()
      const [sent] = unconfirmed
      return status === 'saved' ? null : { base, body, revision, conflicts, otherEditor, sent }
    },
    stop: () => cancel(),
  }
}

const UNEXPECTED = new ApiError(500, { message: 'something unexpected happened' })
