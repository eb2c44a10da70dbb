import type * as z from 'zod/mini'
import type { EntryRow } from '../../../database/conversation-tables.ts'
import type { MessageRow, OutboxRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { statusOfMerged } from '../../../erasure/with-merged.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { recipientsOf } from '../../../mail/email.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { returnDraftFiles } from '../attachments/draft-files.server.ts'
import { CONSUMER_GUIDE_SENT, type conversation } from '../conversation/contract.ts'
import { readDraft, returnToDraft } from '../drafts/drafts.server.ts'
import { addEvent, lockThread, raiseVersion, type Work } from '../history/entries.server.ts'
import type { MessageEvent } from '../history/entry-words.ts'
import { keepOpen } from '../merging/merge.server.ts'
import { changeStatus, setStatus, statusFields } from '../messages/set-status.server.ts'
import { deleteMailId, mayAnswer, updateMessage } from '../messages/store.server.ts'
import { updateDue, updateFirstReply } from '../reply-clock/update-due.server.ts'
import { countRecipients } from './reply.server.ts'
import { readdress, restoreEmail } from './send-again.server.ts'

/** The reply's number stays an entry's, and none of its text is left. */
const UNDONE = 'reply-undone' satisfies MessageEvent

type ReplyName = z.output<typeof conversation.undoReply.input>

/**
 * Takes back a reply that nobody has begun to send. Its text becomes the draft again; its entry becomes an event, so that
 * its number is never used for another one. @returns the draft, and the version of the conversation's message
 * @throws {HttpError} 404, 403, 409
 */
export async function undoReply(
  { db, clock, sharedClock, content }: Services,
  { id, replyId }: ReplyName,
  userId: string,
): Promise<{ body: string; version: number }> {
  return await inTransaction(db, async transaction => {
    const { message, target, entry } = await lockReply(transaction, { id, replyId })
    const shown = target ?? message
    const work = { transaction, clock, content, byId: userId }
    if (entry.author_id !== userId) throwHttpError(403, 'Only its writer can take back a reply')
    if (!(await withdraw(transaction, sharedClock.now, replyId)))
      throwHttpError(409, 'This reply is on its way already')
    await transaction
      .updateTable('entries')
      .set({ kind: 'event', action: UNDONE, body: UNDONE, detail: null, cc: null })
      .set({ status_before: null, status_after: null })
      .where('id', '=', replyId)
      .execute()
    await deleteMailId(transaction, { message_id: message.id, entry_id: replyId })
    await updateFirstReply(work, message)
    recordChange(transaction, clock, shown.id)
    const later = await findLaterReply(transaction, entry)
    if (later) await passOnStatus(transaction, entry, later)
    else await restoreStatus(work, { message, target, entry })
    await restoreAssignee(work, { message, entry, later })
    await updateDue(work, shown.id)
    const version = await raiseVersion(transaction, shown)
    const writer = { messageId: shown.id, userId }
    await returnDraftFiles(transaction, writer, replyId)
    // Nobody wrote the text of a Consumer Guide.
    const isWritten = entry.detail !== CONSUMER_GUIDE_SENT
    const draft = isWritten
      ? returnToDraft(work, writer, entry.body)
      : readDraft(transaction, writer, 'reply')
    return { body: await draft, version }
  })
}

/** One conditional deletion: a dispatcher that claims the email changes the row first, or does not find it. */
async function withdraw(transaction: Transaction, now: Clock, replyId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('outbox')
    .where('id', '=', replyId)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('leased_until', 'is', null)
    .where('due_at', '>', isoAfter(now))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The reply after this one, which somebody may have sent all the same. */
async function findLaterReply(transaction: Transaction, { message_id, seq }: EntryRow) {
  return await transaction
    .selectFrom('entries')
    .selectAll()
    .where('message_id', '=', message_id)
    .where('seq', '>', seq)
    .where('kind', '=', 'reply')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
}

/** The message is as the later reply left it. When that one is taken back too, it has the status from before this one. */
async function passOnStatus(transaction: Transaction, entry: EntryRow, later: EntryRow) {
  const { status_before } = entry
  if (!status_before || !later.status_after) return
  await transaction.updateTable('entries').set({ status_before }).where('id', '=', later.id).execute()
}

/** Who was assigned because of the reply alone is so no longer; the first whose reply is left is. */
async function restoreAssignee(
  work: Work,
  { message, entry, later }: Omit<LockedReply, 'target'> & { readonly later: EntryRow | undefined },
) {
  const { transaction, byId } = work
  if (message.assignee_id !== byId) return
  const next = transaction
    .selectFrom('entries')
    .select('id')
    .where('message_id', '=', message.id)
    .where('seq', '=', entry.seq + 1)
    .where('action', '=', 'assigned')
    .where('detail', '=', byId)
    .where('author_id', '=', byId)
  if (!(await next.executeTakeFirst())) return
  const other = later?.author_id ?? null
  if (other === byId) return
  const assignee_id = other && (await mayAnswer(transaction, other)) ? other : null
  await updateMessage(transaction, message.id, { assignee_id })
  await addEvent(work, message.id, assignee_id ? 'assigned' : 'unassigned', { detail: assignee_id })
}

/** Unless somebody has changed it since, the message has the status from before the reply again. */
async function restoreStatus(work: Work, { message, target, entry }: LockedReply) {
  const { status_before: before, status_after: after } = entry
  if (!before || !after || before === after) return
  if (after !== (target ? await statusOfMerged(work.transaction, message.id) : message.status)) return
  // What is merged stays closed.
  if (target) await addEvent(work, message.id, 'status', statusFields(after, before))
  else await changeStatus(work, message, before)
  if (target && before === 'open') await keepOpen(work, { message, target })
}

/**
 * Sends a failed reply again, with the same Message-ID, to those who lack it: to the visitor at the address that the message has
 * now. They count as those of any reply do.
 * @returns the version of the conversation's message @throws {HttpError} 404; 409 when it has not failed; 429
 */
export async function retryReply(
  services: Services,
  { id, replyId }: ReplyName,
  userId: string,
): Promise<number> {
  const { db, clock, sharedClock, content, rateLimiter } = services
  const settings = {
    values: await services.settings.publicValues(),
    mailbox: await services.mailConnection(),
  }
  const [now, due_at] = [isoAfter(clock), isoAfter(sharedClock.now)]
  return await inTransaction(db, async transaction => {
    const { message, target, entry } = await lockReply(transaction, { id, replyId })
    const shown = target ?? message
    const work = { transaction, clock, content, byId: userId }
    const failed = await transaction
      .updateTable('outbox')
      .set({ state: 'waiting', attempts: 0, due_at, created_at: now, leased_until: null })
      .where('id', '=', replyId)
      .where('state', '=', 'failed')
      .returning('email')
      .executeTakeFirst()
    if (!failed) throwHttpError(409, 'This reply has not failed')
    const kept = await restoreEmail(services, transaction, {
      message,
      entry,
      email: failed.email,
      ...settings,
    })
    const email = readdress(kept, message.email)
    const stored = transaction.updateTable('outbox').set({ email: JSON.stringify(email) })
    await stored.where('id', '=', replyId).execute()
    await countRecipients(rateLimiter, work, recipientsOf(email))
    await updateFirstReply(work, message)
    await addEvent(work, message.id, 'retried')
    await updateDue(work, shown.id)
    return await raiseVersion(transaction, shown)
  })
}

/** A reply, its message, and what that is merged into. All are locked. */
interface LockedReply {
  readonly message: MessageRow
  readonly target: MessageRow | undefined
  readonly entry: EntryRow
}

/** A reply to a message that is merged into this one belongs to the same conversation, which is shown with the other. */
async function lockReply(transaction: Transaction, { id, replyId }: ReplyName): Promise<LockedReply> {
  const select = transaction.selectFrom('entries').selectAll()
  const reply = select.where('id', '=', replyId).where('kind', '=', 'reply')
  const found = await reply.executeTakeFirst()
  const { message, target } = found ? await lockThread(transaction, found.message_id) : {}
  // Somebody else may have taken it back meanwhile.
  const entry = await reply.executeTakeFirst()
  if (!entry || !message || (message.id !== id && message.merged_into !== id))
    throwHttpError(404, 'This reply no longer exists')
  return { message, target, entry }
}

/** Opens the message of a reply that could not be sent: somebody has to know. */
export async function reopenAfterFailure(
  transaction: Transaction,
  { clock, content }: Pick<Services, 'clock' | 'content'>,
  { id: emailId, kind, message_id: id }: OutboxRow,
): Promise<void> {
  if (kind !== 'reply' || id === null) return
  const { message, target } = await lockThread(transaction, id)
  if (!message) return
  const kept = target ?? message
  const isDone = kept.status === 'waiting' || kept.status === 'closed'
  const work = { transaction, clock, content, byId: null }
  if (isDone) await setStatus(work, kept, 'open')
  const statuses = isDone && !target && ({ status_before: kept.status, status_after: 'open' } as const)
  await updateFirstReply(work, message, emailId)
  await addEvent(work, id, 'reply-failed', { ...statuses })
  await updateDue(work, kept.id, emailId)
}
