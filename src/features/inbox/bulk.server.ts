import type { SignedInUser } from '../../auth/session.ts'
import { isUnavailable } from '../../database/unavailable.ts'
import { HttpError, throwHttpError } from '../../http/http-error.ts'
import { replies } from '../../i18n/texts.ts'
import { type AuditLog, describeError } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { Bulk, BulkResult, BulkUndo } from './bulk-contract.ts'
import { changeMessage } from './change.server.ts'
import { deleteMessage } from './store.server.ts'

/** Transactions at a time: on SQLite they share a commit, and on PostgreSQL they leave half of the connections to others. */
const AT_ONCE = 5

interface Caller {
  readonly user: SignedInUser
  readonly log: AuditLog
}

/**
 * Changes messages, each in a transaction of its own with its events, so that an interruption leaves each either changed or
 * not. Others are served in between. A change is idempotent, so a client that got no reply asks again.
 */
export async function changeMany(
  services: Services,
  { ids, versions = {}, ...request }: Bulk,
  { user, log }: Caller,
): Promise<BulkResult> {
  const result: BulkResult = { changed: [], failed: [], undo: [], unassigned: [] }
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    const outcomes = await Promise.all(
      some.map(id => changeOne(services, { ...request, id, version: versions[id] }, { user, log })),
    )
    some.forEach((id, at) => {
      const outcome = outcomes[at]
      if (outcome instanceof HttpError) {
        result.failed.push({ id, status: outcome.status, message: outcome.message })
        return
      }
      result.changed.push(id)
      if (outcome?.undo) result.undo.push(outcome.undo)
      if (outcome?.isUnassigned) result.unassigned.push(id)
    })
    // On SQLite nothing of this waits for anything else than the disk.
    await new Promise(resolve => setImmediate(resolve))
  }
  return result
}

interface ChangedOne {
  /** What undoes it, if anything does. */
  readonly undo: BulkUndo | null
  readonly isUnassigned: boolean
}

/** @returns why it was not changed, or what has become of it; null when it is deleted */
async function changeOne(
  services: Services,
  {
    id,
    version,
    change,
    isUndo,
  }: Omit<Bulk, 'ids' | 'versions'> & { id: string; version: number | undefined },
  { user, log }: Caller,
): Promise<HttpError | ChangedOne | null> {
  try {
    if (!change.delete) {
      const asked = { ...change, id, version, isUndo }
      const { message, undo, isUnassigned } = await changeMessage(services, asked, user.id)
      return { undo: undo && { id, version: message.version, change: undo }, isUnassigned }
    }
    if (!(await deleteMessage(services.db, services.clock, services.erased, { id, version })))
      throwHttpError(404, 'This enquiry no longer exists')
    log('info', 'API', 'Message deleted', { messageId: id })
    return null
  } catch (error) {
    if (error instanceof HttpError) return error
    // Of the rest nothing better is to be expected, and the caller asks again.
    if (isUnavailable(error)) throw error
    log('error', 'API', 'Message not changed', { messageId: id, ...describeError(error) })
    return new HttpError(500, replies.failed)
  }
}
