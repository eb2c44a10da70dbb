import type { Database } from '../../../database/tables.ts'
import { isUnavailable } from '../../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../../http/api-router.ts'
import { HttpError, throwHttpError } from '../../../http/http-error.ts'
import { replies } from '../../../i18n/texts.ts'
import { describeError } from '../../../log/logger.ts'
import { isoAfter } from '../../../platform/clock.ts'
import { createConcurrencyLimit } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import { messages } from '../contract.ts'
import { changeMessage } from '../messages/change.server.ts'
import { exportMessages } from '../messages/export.server.ts'
import { findPage, type ListFilter, listFilterOf } from '../messages/list.server.ts'
import { deleteMessage } from '../messages/store.server.ts'
import { type Bulk, type BulkResult, bulk, type FoundMessages } from './contract.ts'

/** Transactions at a time: on SQLite they share a commit, and on PostgreSQL they leave half of the connections to others. */
const AT_ONCE = 5
/** For all calls of a process. */
const limitTransactions = createConcurrencyLimit(AT_ONCE)

type Caller = Pick<HandlerContext<'signed-in'>, 'user' | 'log' | 'grant'>

/**
 * Changes messages, each in a transaction of its own with its events, so that an interruption leaves each either changed or
 * not. Others are served in between. A change is idempotent, so a client that got no reply asks again.
 */
async function changeMany(
  services: Services,
  { ids, versions = {}, ...request }: Bulk,
  caller: Caller,
): Promise<BulkResult> {
  const result: BulkResult = { changed: [], failed: [], undo: [], unassigned: [] }
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    // It can take a minute, in which somebody may lose the right to go on. What was changed by then is logged all the same.
    const isAllowed = await caller.grant.isValid(request.change.delete ? 'inbox:manage' : undefined)
    if (!isAllowed) {
      const refused = { status: 403, message: "You don't have permission to do this" }
      result.failed.push(...ids.slice(start).map(id => ({ id, ...refused })))
      break
    }
    const some = ids.slice(start, start + AT_ONCE)
    const outcomes = await Promise.all(
      some.map(id =>
        limitTransactions(() => changeOne(services, { ...request, id, version: versions[id] }, caller)),
      ),
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

type One = Omit<Bulk, 'ids' | 'versions'> & { readonly id: string; readonly version: number | undefined }

/** @returns why it was not changed, or what undoes that, if anything does; null when it is deleted */
async function changeOne(services: Services, { id, version, change, isUndo }: One, { user, log }: Caller) {
  try {
    if (!change.delete) {
      const asked = { ...change, id, version, isUndo }
      const { message, undo, isUnassigned } = await changeMessage(services, asked, user.id)
      return { undo: undo && { id, version: message.version, change: undo }, isUnassigned }
    }
    if (!(await deleteMessage(services, { id, version })))
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

export function serveBulk(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, bulk.change, async (request, { user, log, grant, permissions }) => {
    const { change } = request
    if (change.delete && !permissions.includes('inbox:manage'))
      throwHttpError(403, "You don't have permission to do this")
    const result = await changeMany(services, request, { user, log, grant })
    if (change.delete) services.mailboxSweep.request()
    const counts = { changed: result.changed.length, failed: result.failed.length }
    log('info', 'API', 'Messages changed together', { fields: Object.keys(change), ...counts })
    return result
  })

  // Before the call for one message, whose path this has.
  serve(router, bulk.find, async ({ cursor, ...filter }, { user }) => {
    return await findMessages(db, listFilterOf(filter, user.id, clock), cursor)
  })

  serve(router, messages.export, async (filter, { user, log, grant, setHeader }) => {
    const name = `messages-${isoAfter(clock).slice(0, 10)}.csv`
    setHeader('Content-Disposition', `attachment; filename="${name}"`)
    const { timeZone } = services.content.read().content.company
    const list = { ...listFilterOf(filter, user.id, clock), timeZone }
    const isAllowed = () => grant.isValid()
    return exportMessages(db, list, isAllowed, ({ count, isComplete, error }) => {
      const details = { count, isComplete, filters: Object.keys(filter) }
      if (error) log('error', 'API', 'Export of messages failed', { ...details, ...describeError(error) })
      else log('warning', 'API', 'Messages exported', details)
    })
  })
}

/** Messages that one call finds: a few milliseconds' work. */
const PAGE_SIZE = 500

/**
 * The next messages that match, with the versions that match, in the order in which they arrived: what arrives or is changed
 * meanwhile moves none of them. What is merged is changed with the message that is kept.
 */
export async function findMessages(
  db: Database,
  filter: ListFilter,
  cursor: string | undefined,
): Promise<FoundMessages> {
  const unmerged = { ...filter, isUnmerged: true } as const
  const { found, next } = await findPage(db, unmerged, { from: cursor, towards: 'older' }, PAGE_SIZE)
  return { found: [...found], nextCursor: next }
}
