import { type Clock, isoAfter } from '../../clock.ts'
import type { EntryRow, MessageStatus } from '../../database/conversation-tables.ts'
import type { Database, MessageRow, OutboxRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { recordChange } from '../../live/record-change.server.ts'
import { statuses } from './contract.ts'
import { returnToDraft } from './drafts.server.ts'
import { addEvent, lockMessage } from './entries.server.ts'
import { deleteMailId } from './mail-ids.server.ts'
import { setStatus } from './set-status.server.ts'

/** A reply, named as the call names it. */
interface ReplyName {
  /** The id of its message. */
  readonly id: string
  readonly replyId: string
}

/**
 * Takes back a reply that nobody has begun to send. Its text becomes the draft again; its entry becomes an event, so that
 * its number is never used for another one. @returns the draft @throws {HttpError} 404, 403, 409
 */
export async function undoReply(
  db: Database,
  clock: Clock,
  { id, replyId }: ReplyName,
  userId: string,
): Promise<string> {
  return await inTransaction(db, async transaction => {
    const { message, entry } = await lockReply(transaction, { id, replyId })
    if (entry.author_id !== userId) throwHttpError(403, 'Only its writer can take back a reply')
    if (!(await withdraw(transaction, clock, replyId)))
      throwHttpError(409, 'This reply is on its way already')
    await transaction
      .updateTable('entries')
      .set({ kind: 'event', body: 'reply-undone', detail: null, cc: null })
      .where('id', '=', replyId)
      .execute()
    await deleteMailId(transaction, { messageId: id, entryId: replyId })
    recordChange(transaction, clock, id)
    await restoreStatus(transaction, clock, message, entry, userId)
    return await returnToDraft(transaction, clock, { messageId: id, userId }, entry.body)
  })
}

/** One conditional deletion: a dispatcher that claims the email changes the row first, or does not find it. */
async function withdraw(transaction: Transaction, clock: Clock, replyId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('outbox')
    .where('id', '=', replyId)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('leased_until', 'is', null)
    .where('due_at', '>', isoAfter(clock))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Unless somebody has changed it since, the message has the status from before the reply again. */
async function restoreStatus(
  transaction: Transaction,
  clock: Clock,
  message: MessageRow,
  { detail }: EntryRow,
  userId: string,
) {
  const [before, after] = (detail ?? '').split(' ').map(name => statuses.find(status => status === name))
  if (!before || before === after || after !== message.status) return
  await setStatus(transaction, clock, message, before)
  await addEvent(transaction, clock, message.id, userId, 'status', before)
}

/** Sends a failed reply again, with the same Message-ID. @throws {HttpError} 404, or 409 when it has not failed */
export async function retryReply(
  db: Database,
  clock: Clock,
  { id, replyId }: ReplyName,
  userId: string,
): Promise<void> {
  const now = isoAfter(clock)
  await inTransaction(db, async transaction => {
    await lockReply(transaction, { id, replyId })
    const { numUpdatedRows } = await transaction
      .updateTable('outbox')
      .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now, leased_until: null })
      .where('id', '=', replyId)
      .where('state', '=', 'failed')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throwHttpError(409, 'This reply has not failed')
    await addEvent(transaction, clock, id, userId, 'retried')
  })
}

async function lockReply(transaction: Transaction, { id, replyId }: ReplyName) {
  const message = await lockMessage(transaction, id)
  const entry = await transaction
    .selectFrom('entries')
    .selectAll()
    .where('id', '=', replyId)
    .where('message_id', '=', id)
    .where('kind', '=', 'reply')
    .executeTakeFirst()
  if (!message || !entry) throwHttpError(404, 'This reply no longer exists')
  return { message, entry }
}

/** Opens the message of a reply that could not be sent: somebody has to know. */
export async function reopenAfterFailure(
  transaction: Transaction,
  clock: Clock,
  { kind, message_id: id }: OutboxRow,
): Promise<void> {
  if (kind !== 'reply' || id === null) return
  const message = await lockMessage(transaction, id)
  if (!message) return
  const isDone = message.status === 'waiting' || message.status === 'closed'
  if (isDone) await setStatus(transaction, clock, message, 'open' satisfies MessageStatus)
  await addEvent(transaction, clock, id, null, 'reply-failed')
}
