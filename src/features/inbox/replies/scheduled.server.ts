import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Database, Tables } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { HttpError, throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { describeError } from '../../../log/logger.ts'
import { RESTORED } from '../../../mail/outbox.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { assertDraftFiles } from '../attachments/draft-files.server.ts'
import { putDraft, readDraft } from '../drafts/drafts.server.ts'
import { addEvent, lockForWork, lockThread } from '../history/entries.server.ts'
import { readNewer } from '../history/history.server.ts'
import { setStatus } from '../messages/set-status.server.ts'
import { mayAnswer } from '../messages/store.server.ts'
import { addNotices } from '../notices/notices.server.ts'
import { MAX_SCHEDULED, type ScheduledReply, type ScheduleReply, scheduledReplies } from './contract.ts'
import { assertNothingNewer, copiesOf, queueReply, readSending } from './reply.server.ts'

/**
 * A scheduled reply is a draft that is sent at a time: until then nothing has been said, so the reply clock runs on, and
 * whatever keeps a reply from being sent keeps this one, which then waits in the draft: decision 080.
 */

type Row = Tables['scheduled_replies']

/** Sent by one poll of the outbox: the rest comes with the next. */
const AT_ONCE = 20

const hashOf = (body: string) => hash('sha256', body)
const Strings = z.array(z.string())

export function serveScheduledReplies(router: ApiRouter): void {
  const { services } = router

  serve(router, scheduledReplies.schedule, async (reply, { user }) => {
    await scheduleReply(services, reply, user.id)
    return {}
  })

  serve(router, scheduledReplies.cancel, async ({ id }, { user }) => {
    await cancelScheduled(services, id, user.id)
    return {}
  })
}

/** @throws {HttpError} 400 for a time that is over or too far ahead, and what `sendReply` throws */
async function scheduleReply(
  services: Services,
  { sendsAt, ...reply }: ScheduleReply,
  userId: string,
): Promise<void> {
  const { db, clock, sharedClock } = services
  await sharedClock.synchronise()
  const sends_at = new Date(sendsAt).toISOString()
  if (sends_at <= isoAfter(sharedClock.now)) throwFieldError('sendsAt', 'Choose a time that is still to come')
  if (sends_at > isoAfter(sharedClock.now, MAX_SCHEDULED))
    throwFieldError('sendsAt', 'Choose a time within a year')
  const { most } = await readSending(services)
  const writer = { messageId: reply.id, userId }
  await inTransaction(db, async transaction => {
    const message = await lockForWork(transaction, reply.id)
    await assertNothingNewer(transaction, reply)
    const attachments = reply.attachments ?? []
    await assertDraftFiles(transaction, writer, { ids: attachments, most })
    await putDraft({ transaction, clock }, writer, 'reply', reply.body)
    const cc = copiesOf(reply, message)
    const columns = {
      ...{ sends_at, body_hash: hashOf(reply.body), last_seq: reply.lastSeq, created_at: isoAfter(clock) },
      ...{ cc: cc.length > 0 ? JSON.stringify(cc) : null, attachments: JSON.stringify(attachments) },
      status_after: reply.status ?? null,
    }
    await transaction
      .insertInto('scheduled_replies')
      .values({ message_id: reply.id, user_id: userId, ...columns })
      .onConflict(conflict => conflict.columns(['message_id', 'user_id']).doUpdateSet(columns))
      .execute()
    recordChange(transaction, clock, reply.id)
  })
}

/** The text stays in the draft. @throws {HttpError} 409 when it has been sent, or could not be */
async function cancelScheduled(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  messageId: string,
  userId: string,
): Promise<void> {
  await inTransaction(db, async transaction => {
    const own = transaction.deleteFrom('scheduled_replies').where('message_id', '=', messageId)
    const { numDeletedRows } = await own.where('user_id', '=', userId).executeTakeFirst()
    if (numDeletedRows === 0n) throwHttpError(409, 'This reply no longer waits to be sent')
    recordChange(transaction, clock, messageId)
  })
}

/** The replies to a message that wait for their time, the first one first. */
export async function listScheduled(db: Database, messageId: string): Promise<ScheduledReply[]> {
  const rows = await db
    .selectFrom('scheduled_replies')
    .innerJoin('users', 'users.id', 'scheduled_replies.user_id')
    .select(['users.id', 'users.name', 'sends_at', 'last_seq'])
    .where('message_id', '=', messageId)
    .where('sends_at', '!=', RESTORED)
    .orderBy('sends_at')
    .execute()
  return await Promise.all(
    rows.map(async ({ id, name, sends_at, last_seq }) => {
      const isOutOfDate = (await readNewer(db, messageId, last_seq)).length > 0
      return { by: { id, name }, sendsAt: sends_at, ...(isOutOfDate && { isOutOfDate: true as const }) }
    }),
  )
}

/** Sends what is due. Several nodes may do this at once. */
export async function sendScheduled(services: Services): Promise<void> {
  const { db, sharedClock, log } = services
  const due = await db
    .selectFrom('scheduled_replies')
    .selectAll()
    .where('sends_at', '<=', isoAfter(sharedClock.now))
    .orderBy('sends_at')
    .limit(AT_ONCE)
    .execute()
  for (const row of due)
    await send(services, row).catch(async error => {
      if (!(error instanceof HttpError))
        return log('error', 'EmailService', 'A scheduled reply could not be sent', describeError(error))
      // Its turn comes when its writer may send to more people again.
      if (error.status !== 429) await giveUp(services, row, error.message)
    })
}

/** @throws {HttpError} with why it is not sent */
async function send(services: Services, row: Row) {
  const { db, log } = services
  const { message_id: id, user_id: userId } = row
  if (row.sends_at === RESTORED)
    throwHttpError(409, 'It was waiting when the backup was made, so it may have been sent')
  const sending = await readSending(services)
  await inTransaction(db, async transaction => {
    const message = await lockForWork(transaction, id)
    // Another node may have sent it, and its writer changed their mind.
    if (!(await take(transaction, row))) return
    if (!(await mayAnswer(transaction, userId))) throwHttpError(409, 'Its writer may no longer answer')
    if (message.status === 'spam') throwHttpError(409, 'The enquiry is marked as spam')
    const body = await readDraft(transaction, { messageId: id, userId }, 'reply')
    if (hashOf(body) !== row.body_hash) throwHttpError(409, 'The draft has been changed')
    const reply = {
      ...{ id, body, lastSeq: row.last_seq, attachments: read(row.attachments), cc: read(row.cc) },
      // What was closed meanwhile stays so.
      ...(message.status !== 'closed' && row.status_after && { status: row.status_after }),
    }
    await queueReply(services, transaction, { reply, writer: { userId, log }, ...sending })
  })
}

/** @returns whether it was still to be sent as it was read */
async function take(transaction: Transaction, row: Row): Promise<boolean> {
  const same = transaction.deleteFrom('scheduled_replies').where('message_id', '=', row.message_id)
  const { numDeletedRows } = await same
    .where('user_id', '=', row.user_id)
    .where('sends_at', '=', row.sends_at)
    .where('created_at', '=', row.created_at)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const read = (list: string | null) => Strings.parse(JSON.parse(list ?? '[]'))

/** Its text stays in the draft. Somebody has to know. */
async function giveUp({ db, clock, log }: Services, row: Row, why: string) {
  await inTransaction(db, async transaction => {
    const { message, target = message } = await lockThread(transaction, row.message_id)
    if (!target || !(await take(transaction, row))) return
    const work = { transaction, clock, byId: row.user_id }
    const isDone = target.status === 'waiting' || target.status === 'closed'
    if (isDone) await setStatus(work, target, 'open')
    const statuses = isDone && ({ status_before: target.status, status_after: 'open' } as const)
    await addEvent(work, target.id, 'reply-unsent', { detail: why, ...statuses })
    await addNotices({ ...work, byId: null }, 'unsent', [target.id], [row.user_id])
    await log.within(transaction, 'warning', 'EmailService', 'A scheduled reply was not sent', {
      ...{ messageId: target.id, userId: row.user_id, reason: why },
    })
  })
}
