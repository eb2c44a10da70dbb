import { ApiError } from '../../../http/api-client.ts'
import { enquiryCount, figure } from '../list/format.ts'
import type { Versions } from '../list/use-selection.ts'
import { type Bulk, type BulkResult, type BulkUndo, type FoundMessages, MAX_BULK } from './contract.ts'

/** Messages in one call: the progress moves, and Stop acts, within half a second. */
const CHUNK_SIZE = 50
/** Seconds between attempts while the server cannot be reached, and their number: a restart takes less. */
const RETRY_DELAYS = [1, 2, 5, 5, 10, 10]

/** What the server said of each message, and which it was not asked about. */
export interface BulkOutcome extends BulkResult {
  readonly left: string[]
  /** Those of which the reply that says how to undo it was lost. */
  readonly unclear: string[]
}

interface Run {
  readonly send: (request: Bulk) => Promise<BulkResult>
  /** Called with the number of messages that were found or answered. */
  readonly onProgress: (done: number) => void
  readonly isStopped: () => boolean
  /** Seconds. */
  readonly wait: (seconds: number) => Promise<void>
}

/**
 * Changes messages in calls of a few each. A call whose reply is lost is repeated: a change that was made is not made again,
 * and what the server says of a message is what counts.
 */
export async function runBulk(steps: readonly Bulk[], run: Run): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], failed: [], undo: [], unassigned: [], left: [], unclear: [] }
  for (const request of steps.flatMap(inChunks)) {
    const result = run.isStopped() ? null : await sendUntilAnswered(request, run)
    if (result === null) outcome.left.push(...request.ids)
    outcome.changed.push(...(result?.changed ?? []))
    outcome.failed.push(...(result?.failed ?? []))
    outcome.undo.push(...(result?.undo ?? []))
    outcome.unassigned.push(...(result?.unassigned ?? []))
    outcome.unclear.push(...(result?.unclear ?? []))
    run.onProgress(outcome.changed.length + outcome.failed.length)
  }
  return outcome
}

function inChunks({ ids, versions, ...request }: Bulk): Bulk[] {
  const count = Math.ceil(ids.length / CHUNK_SIZE)
  return Array.from({ length: count }, (_, at) => {
    const some = ids.slice(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE)
    return { ...request, ids: some, versions: versionsOf(some, versions) }
  })
}

function versionsOf(ids: readonly string[], versions: Versions = {}): Versions {
  const known = ids.flatMap(id => (versions[id] === undefined ? [] : [[id, versions[id]] as const]))
  return Object.fromEntries(known)
}

/** What an error of the browser itself says of its messages: the outcome of the others is shown all the same. */
const UNEXPECTED = { status: 500, message: 'Something unexpected happened', isOffline: false }

type Answer = BulkResult & Pick<BulkOutcome, 'unclear'>

/** @returns null when it was stopped, or the server could not be reached */
async function sendUntilAnswered(request: Bulk, { send, isStopped, wait }: Run): Promise<Answer | null> {
  let isRepeat = false
  for (const delay of [...RETRY_DELAYS, null]) {
    try {
      const result = await send(request)
      return isRepeat ? readRepeat(result, request) : { ...result, unclear: [] }
    } catch (error) {
      const { status, message, isOffline } = error instanceof ApiError ? error : UNEXPECTED
      const isTemporary = error instanceof ApiError && (isOffline || status === 429 || status >= 500)
      const failed = request.ids.map(id => ({ id, status, message }))
      if (!isTemporary) return { changed: [], failed, undo: [], unassigned: [], unclear: [] }
      if (delay === null || isStopped()) return null
      isRepeat = true
      await wait(delay)
    }
  }
  return null
}

/** What the call whose reply was lost has deleted is gone now, and what it has changed is as it should be. */
function readRepeat(result: BulkResult, { change }: Bulk): Answer {
  const { changed, failed, undo } = result
  const isGone = ({ status }: BulkResult['failed'][number]) => status === 404
  if (change.delete)
    return {
      ...result,
      unclear: [],
      changed: [...changed, ...failed.filter(isGone).map(({ id }) => id)],
      failed: failed.filter(it => !isGone(it)),
    }
  const known = new Set(undo.map(({ id }) => id))
  return { ...result, unclear: changed.filter(id => !known.has(id)) }
}

/** What gives messages their former values again where nobody has changed them since: one request for each different change. */
export function undoOf(undo: readonly BulkUndo[]): Bulk[] {
  const all = new Map<string, Bulk & { versions: Record<string, number> }>()
  for (const { id, version, change } of undo) {
    const key = JSON.stringify(change)
    const group = all.get(key) ?? { ids: [], change, versions: {}, isUndo: true }
    group.ids.push(id)
    group.versions[id] = version
    all.set(key, group)
  }
  return [...all.values()]
}

/**
 * What stays selected: those that were not changed. Each keeps the version with which it was selected, so that the next action
 * leaves alone what somebody else has changed meanwhile. What is gone cannot be selected.
 */
export function stillSelected(steps: readonly Bulk[], { failed, left }: BulkOutcome) {
  const ids = [...failed.filter(({ status }) => status !== 404).map(({ id }) => id), ...left]
  return { ids, versions: versionsOf(ids, Object.assign({}, ...steps.map(({ versions }) => versions))) }
}

/**
 * `38 enquiries closed. 2 left alone: Somebody else has changed this enquiry. 10 left as they were.`
 * @param words null after an undo
 */
export function describeOutcome(words: string | null, outcome: BulkOutcome): string {
  const { changed, failed, left, unassigned } = outcome
  const whole = changed.length - unassigned.length
  const undone = whole === 1 ? 'is as it was' : 'are as they were'
  return [
    whole > 0 || unassigned.length + failed.length + left.length === 0
      ? `${enquiryCount(whole)} ${words ?? undone}.`
      : '',
    describeUnassigned(unassigned.length),
    ...describeFailed(failed),
    left.length > 0
      ? `${figure(left.length)} ${words === null ? 'not changed back' : 'left as they were'}.`
      : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** After an undo. */
function describeUnassigned(count: number): string {
  if (count === 0) return ''
  const whose = count === 1 ? 'its' : 'their'
  return `${enquiryCount(count)} changed back, but assigned to nobody: ${whose} former assignee can no longer answer.`
}

/** What somebody else has changed is as that person left it. */
function describeFailed(failed: BulkOutcome['failed']): string[] {
  const reasons = new Map(failed.map(({ message, status }) => [message, status]))
  return [...reasons].map(([reason, status]) => {
    const count = figure(failed.filter(({ message }) => message === reason).length)
    const said = `${count} ${status === CONFLICT ? 'left alone' : 'could not be changed'}: ${reason}`
    return said.endsWith('.') ? said : `${said}.`
  })
}

const CONFLICT = 409

export type FoundAll = NonNullable<Awaited<ReturnType<typeof findAll>>>

interface Finding extends Pick<Run, 'onProgress' | 'isStopped'> {
  readonly read: (cursor: string | undefined) => Promise<FoundMessages>
}

/** Finds all messages that match now, newest first: as many as one action takes. @returns null when it was stopped */
export async function findAll({ read, onProgress, isStopped }: Finding) {
  const found: FoundMessages['found'] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    if (isStopped()) return null
    found.push(...page.found)
    onProgress(Math.min(found.length, MAX_BULK))
    cursor = page.nextCursor ?? undefined
  } while (cursor && found.length <= MAX_BULK)
  const some = found.slice(0, MAX_BULK)
  const isWhole = found.length <= MAX_BULK
  return {
    ids: some.map(({ id }) => id),
    versions: Object.fromEntries(some.map(({ id, version }) => [id, version])),
    /** Whether no others match. */
    isWhole,
    /** What is said of them. */
    text: describeFound(some.length, isWhole),
  }
}

function describeFound(found: number, isWhole: boolean): string {
  const count = figure(found)
  if (isWhole) return `All ${count} that match selected`
  return `The newest ${count} selected. More match: one action takes ${count} at most, so do the others after these.`
}
