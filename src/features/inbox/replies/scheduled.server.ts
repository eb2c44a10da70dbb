import * as z from 'zod/mini'
import type { Database, Tables } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { HttpError, throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { describeError, logFrom } from '../../../log/logger.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { assertDraftFiles, listDraftFiles } from '../attachments/draft-files.server.ts'
import { CONSUMER_GUIDE_SENT, conversationKinds } from '../conversation/contract.ts'
import {
  DRAFTS_PER_USER,
  forgetScheduled,
  hashOf,
  holdScheduled,
  putDraft,
  readDraft,
} from '../drafts/drafts.server.ts'
import { addEvent, assertRoom, lockForWork, lockThread, reached } from '../history/entries.server.ts'
import { AFTER_ALL } from '../history/history.server.ts'
import { setStatus } from '../messages/set-status.server.ts'
import { findColleague, findMessage, mayAnswer } from '../messages/store.server.ts'
import { addNotices } from '../notices/notices.server.ts'
import { updateDue } from '../reply-clock/update-due.server.ts'
import { MAX_SCHEDULED, type ScheduledReply, type ScheduleReply, scheduledReplies } from './contract.ts'
import { assertAddress, assertNothingNewer, copiesOf, queueReply, readSending } from './reply.server.ts'

/**
 * A scheduled reply is a draft that is sent at a time: until then nothing has been said, so the reply clock runs on, and
 * whatever keeps a reply from being sent keeps this one, which then waits in the draft: decision 080.
 */

type Row = Tables['scheduled_replies']

/** Looked at by one poll of the outbox: the rest comes with the next. */
const AT_ONCE = 500

/** A call that reached nobody says nothing, but for what the visitor has left. */
const LEFT_BY_VISITOR = { call_direction: 'in', call_outcome: 'left-message' } as const

const NOT_WAITING = 'This reply is no longer waiting to be sent'
const SPAM = 'The enquiry is marked as spam'

/** Details of entries that make no reply out of date: what programs sent, what is from before, and a Consumer Guide. */
const SAYS_NOTHING = ['automatic', 'earlier', CONSUMER_GUIDE_SENT]

const Strings = z.array(z.string())

export function serveScheduledReplies(router: ApiRouter): void {
  const { services } = router

  serve(router, scheduledReplies.schedule, async (reply, { user, log }) => {
    await scheduleReply(services, reply, user.id)
    log('info', 'API', 'Reply scheduled', { messageId: reply.id, sendsAt: reply.sendsAt })
    return {}
  })

  serve(router, scheduledReplies.cancel, async ({ id, ...input }, { user, log }) => {
    const { userId = user.id } = input
    if (userId === user.id) await cancelOwn(services, id, userId)
    // With the name: its writer has nobody to ask otherwise.
    else if (!(await holdScheduled(services.db, { messageId: id, userId }, `${user.name} cancelled it`)))
      throwHttpError(409, NOT_WAITING)
    services.outbox.wake()
    log('info', 'API', 'Scheduled reply cancelled', { messageId: id, userId })
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
  if (sends_at <= isoAfter(sharedClock.now)) throwFieldError('sendsAt', 'Choose a time in the future')
  if (sends_at > isoAfter(sharedClock.now, MAX_SCHEDULED))
    throwFieldError('sendsAt', 'Choose a time within a year')
  const { most } = await readSending(services)
  const writer = { messageId: reply.id, userId }
  await inTransaction(db, async transaction => {
    const message = await lockForWork(transaction, reply.id)
    await services.rateLimiter.consumeInTransaction(transaction, [DRAFTS_PER_USER], userId)
    if (message.status === 'spam') throwHttpError(409, SPAM)
    assertAddress(message)
    await assertRoom(transaction, message.id, reply.body)
    await assertNothingNewer(transaction, reply)
    const attachments = reply.attachments ?? []
    await assertDraftFiles(transaction, writer, { ids: attachments, most })
    await putDraft({ transaction, clock }, writer, 'reply', reply.body)
    const cc = copiesOf(reply, message)
    const columns = {
      ...{ sends_at, body_hash: hashOf(reply.body), last_seq: reply.lastSeq, created_at: isoAfter(clock) },
      ...{ cc: cc.length > 0 ? JSON.stringify(cc) : null, attachments: JSON.stringify(attachments) },
      ...{ status_after: reply.status ?? null, held_because: null },
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
async function cancelOwn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  messageId: string,
  userId: string,
): Promise<void> {
  await inTransaction(db, async transaction => {
    if (!(await forgetScheduled(transaction, { messageId, userId }))) throwHttpError(409, NOT_WAITING)
    recordChange(transaction, clock, messageId)
  })
}

/** The replies to a message that wait for their time, the first one first. @param userId who alone sees how theirs is sent */
export async function listScheduled(
  db: Database,
  messageId: string,
  userId: string,
): Promise<ScheduledReply[]> {
  const rows = await db
    .selectFrom('scheduled_replies')
    .innerJoin('users', 'users.id', 'scheduled_replies.user_id')
    .selectAll('scheduled_replies')
    .select('users.name')
    .where('message_id', '=', messageId)
    .orderBy('sends_at')
    .execute()
  return await Promise.all(
    rows.map(async ({ name, ...row }) => {
      const obstacle = await findObstacle(db, row)
      return {
        by: { id: row.user_id, name },
        sendsAt: row.sends_at,
        ...(obstacle !== null && { obstacle }),
        ...(row.user_id === userId && {
          cc: read(row.cc),
          ...(row.status_after && { status: row.status_after }),
        }),
      }
    }),
  )
}

/** Sends what is due. Several nodes may do this at once. */
export async function sendScheduled(services: Services): Promise<void> {
  const { db, sharedClock, log } = services
  const due = await db
    .selectFrom('scheduled_replies')
    .selectAll()
    .where(eb => eb.or([eb('sends_at', '<=', isoAfter(sharedClock.now)), eb('held_because', 'is not', null)]))
    // What is held comes first: somebody waits for that.
    .orderBy(eb => eb('held_because', 'is', null))
    .orderBy('sends_at')
    .limit(AT_ONCE)
    .execute()
  /** Who has written to as many people as they may in an hour. */
  const busy = new Set<string>()
  for (const row of due)
    try {
      if (row.held_because === null && busy.has(row.user_id)) continue
      const obstacle = await send(services, row)
      if (obstacle !== null) await giveUp(services, row, obstacle)
    } catch (error) {
      if (error instanceof HttpError && error.status === 429) busy.add(row.user_id)
      else log('error', 'EmailService', 'A scheduled reply could not be sent', describeError(error))
    }
}

/** @returns why it is not sent; null where it is, or was by another node */
async function send(services: Services, row: Row): Promise<string | null> {
  const { db, log } = services
  const { message_id: id, user_id: userId } = row
  if (row.held_because !== null) return row.held_because
  try {
    const sending = await readSending(services)
    return await inTransaction(db, async transaction => {
      const message = await lockForWork(transaction, id)
      // Who takes their access away waits until it is sent.
      await mayAnswer(transaction, userId)
      const obstacle = await findObstacle(transaction, row)
      if (obstacle !== null) return obstacle
      const taken = await take(transaction, row)
      if (!taken) return null
      const body = await readDraft(transaction, { messageId: id, userId }, 'reply')
      const reply = {
        ...{ id, body: body.trim(), attachments: read(taken.attachments), cc: read(taken.cc) },
        // What somebody has said since is looked for above.
        lastSeq: AFTER_ALL,
        // What was closed meanwhile stays so.
        ...(message.status !== 'closed' && taken.status_after && { status: taken.status_after }),
      }
      await queueReply(services, transaction, {
        ...{ reply, writer: { userId, log: logFrom(log, { userId }) } },
        ...sending,
      })
      return null
    })
  } catch (error) {
    if (error instanceof HttpError && error.status !== 429) return error.message
    throw error
  }
}

/** Why a reply is not sent although it is due, as a sentence; null where nothing is known to keep it. */
async function findObstacle(db: Database, row: Row): Promise<string | null> {
  if (row.held_because !== null) return row.held_because
  if (!(await findColleague(db, row.user_id, 'inbox:answer'))) return 'Its writer may no longer answer'
  const { message_id: messageId, user_id: userId } = row
  const message = await findMessage(db, messageId)
  if (message?.status === 'spam') return SPAM
  if (hashOf(await readDraft(db, { messageId, userId }, 'reply')) !== row.body_hash)
    return 'Its draft has been changed'
  if (!(await hasFiles(db, row))) return 'One of its files has been removed'
  return (await hasNews(db, row)) ? 'Something has been said since it was written' : null
}

async function hasFiles(db: Database, row: Row): Promise<boolean> {
  const ids = read(row.attachments)
  if (ids.length === 0) return true
  const kept = await listDraftFiles(db, { messageId: row.message_id, userId: row.user_id })
  return ids.every(id => kept.some(file => file.id === id && file.state === 'kept'))
}

/** Whether anybody but a program, or the writer on the phone, has said something that the writer has not seen. */
async function hasNews(db: Database, row: Row): Promise<boolean> {
  const newer = db
    .selectFrom('entries')
    .select('id')
    .where('message_id', '=', row.message_id)
    .where('seq', '>', row.last_seq)
    .where('kind', 'in', conversationKinds)
    .where(eb => eb.or([eb('detail', 'is', null), eb('detail', 'not in', SAYS_NOTHING)]))
    .where(eb => eb.or([eb('kind', '!=', 'call'), eb('author_id', '!=', row.user_id)]))
    .where(eb => eb.or([reached('call_outcome'), eb.and(LEFT_BY_VISITOR)]))
    .limit(1)
  return (await newer.execute()).length > 0
}

/** @returns the row as it is now, unless another node has sent it, or its writer has changed their mind */
async function take(transaction: Transaction, row: Row): Promise<Row | undefined> {
  const same = transaction.deleteFrom('scheduled_replies').where('message_id', '=', row.message_id)
  return await same
    .where('user_id', '=', row.user_id)
    .where('sends_at', '=', row.sends_at)
    .where('created_at', '=', row.created_at)
    // One that is held since then is given up instead.
    .$if(row.held_because === null, query => query.where('held_because', 'is', null))
    .returningAll()
    .executeTakeFirst()
}

const read = (list: string | null) => Strings.parse(JSON.parse(list ?? '[]'))

/** The text stays in the draft. The enquiry is open again, and its history says why: somebody has to know. */
async function giveUp(
  { db, clock, content, log }: Pick<Services, 'db' | 'clock' | 'content' | 'log'>,
  row: Row,
  why: string,
) {
  await inTransaction(db, async transaction => {
    const { message, target = message } = await lockThread(transaction, row.message_id)
    // Who gets the notice stays until it is written.
    const isUser = await mayAnswer(transaction, row.user_id)
    const taken = target && (await take(transaction, row))
    if (!target || !taken) return
    const work = { transaction, clock, content, byId: row.user_id }
    const isDone = target.status === 'waiting' || target.status === 'closed'
    if (isDone) await setStatus(work, target, 'open')
    const statuses = isDone && ({ status_before: target.status, status_after: 'open' } as const)
    const copies = read(taken.cc)
    const detail = [
      why.replace(/\.$/, ''),
      ...(copies.length > 0 ? [`Copies were to go to ${copies.join(', ')}`] : []),
    ].join('. ')
    await addEvent(work, target.id, 'reply-unsent', { detail, ...statuses })
    await updateDue(work, target.id)
    if (isUser) await addNotices({ ...work, byId: null }, 'unsent', [target.id], [row.user_id])
    await log.within(transaction, 'warning', 'EmailService', 'A scheduled reply was not sent', {
      ...{ messageId: target.id, targetUserId: row.user_id },
    })
  })
}
