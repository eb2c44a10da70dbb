import { ApiError } from '../../http/api-client.ts'
import type { Bulk, BulkResult } from './bulk-contract.ts'
import type { Message } from './contract.ts'

/** Messages in one call: the progress moves, and Stop acts, within half a second. */
const CHUNK_SIZE = 50
/** Seconds between attempts while the server cannot be reached, and their number: a restart takes less. */
const RETRY_DELAYS = [1, 2, 5, 5, 10, 10]

/** What the server said of each message, and which it was not asked about. */
export interface BulkOutcome extends BulkResult {
  readonly left: string[]
}

interface Run {
  readonly send: (request: Bulk) => Promise<BulkResult>
  /** Called with the number of messages that were answered. */
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
  const outcome: BulkOutcome = { changed: [], failed: [], left: [] }
  for (const request of steps.flatMap(inChunks)) {
    const result = run.isStopped() ? null : await sendUntilAnswered(request, run)
    if (result === null) outcome.left.push(...request.ids)
    outcome.changed.push(...(result?.changed ?? []))
    outcome.failed.push(...(result?.failed ?? []))
    run.onProgress(outcome.changed.length + outcome.failed.length)
  }
  return outcome
}

function inChunks({ ids, change }: Bulk): Bulk[] {
  const count = Math.ceil(ids.length / CHUNK_SIZE)
  return Array.from({ length: count }, (_, at) => ({
    ids: ids.slice(at * CHUNK_SIZE, (at + 1) * CHUNK_SIZE),
    change,
  }))
}

/** @returns null when it was stopped, or the server could not be reached */
async function sendUntilAnswered(request: Bulk, { send, isStopped, wait }: Run): Promise<BulkResult | null> {
  let isRepeat = false
  for (const delay of [...RETRY_DELAYS, null]) {
    try {
      const result = await send(request)
      return isRepeat && request.change.delete ? countGoneAsDeleted(result) : result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, message, isOffline } = error
      const isTemporary = isOffline || status === 429 || status >= 500
      if (!isTemporary) return { changed: [], failed: request.ids.map(id => ({ id, status, message })) }
      if (delay === null || isStopped()) return null
      isRepeat = true
      await wait(delay)
    }
  }
  return null
}

/** The call whose reply was lost has deleted them. */
function countGoneAsDeleted({ changed, failed }: BulkResult): BulkResult {
  const isGone = ({ status }: BulkResult['failed'][number]) => status === 404
  return {
    changed: [...changed, ...failed.filter(isGone).map(({ id }) => id)],
    failed: failed.filter(result => !isGone(result)),
  }
}

/** What gives these messages their former values again; nothing for what was deleted. */
export function undoOf({ change }: Pick<Bulk, 'change'>, before: readonly Message[], now: Date): Bulk[] {
  const { status, assignee, addTags, isRead } = change
  return [
    ...(status === undefined ? [] : groups(before, message => formerStatus(message, now))),
    ...(assignee === undefined
      ? []
      : groups(before, message => ({ assignee: message.assignee?.id ?? null }))),
    ...(addTags ?? []).flatMap(tag =>
      groups(before, ({ tags }) => (tags.includes(tag) ? null : { removeTags: [tag] })),
    ),
    ...(isRead === undefined ? [] : groups(before, message => ({ isRead: message.isRead }))),
  ]
}

/** What is closed is not snoozed any more. */
function formerStatus({ status, snoozedUntil }: Message, now: Date): Bulk['change'] {
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > now.getTime()
  return { status, ...(isSnoozed && { snoozedUntil }) }
}

/** One request for each different change. */
function groups(messages: readonly Message[], changeOf: (message: Message) => Bulk['change'] | null): Bulk[] {
  const all = new Map<string, Bulk>()
  for (const message of messages) {
    const change = changeOf(message)
    if (!change) continue
    const key = JSON.stringify(change)
    const group = all.get(key) ?? { ids: [], change }
    all.set(key, { ids: [...group.ids, message.id], change })
  }
  return [...all.values()]
}
