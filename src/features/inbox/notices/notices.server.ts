import { type SqlBool, sql } from 'kysely'
import { permissionsOf } from '../../../auth/permissions.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { renderEmail } from '../../../mail/email.ts'
import { type Clock, days, isoAfter, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { Work } from '../history/entries.server.ts'
import { findMessage } from '../messages/store.server.ts'
import { MAX_NOTICES, type Notice, notices } from './contract.ts'

/** Who looks into the inbox before that gets no email. */
const EMAIL_AFTER = minutes(2)
/** Who has not looked for so long does not look for it any more. */
const KEPT = days(60)

/** Serves the calls of the notices, which come before those for one message: theirs is the same path. */
export function serveNotices(router: ApiRouter): void {
  const { db, clock } = router.services

  serve(router, notices.list, async (_input, { user }) => ({
    notices: await listNotices(db, clock, user.id),
  }))

  serve(router, notices.delete, async ({ messageId, until }, { user }) => {
    const own = db.deleteFrom('notices').where('user_id', '=', user.id).where('created_at', '<=', until)
    await (messageId ? own.where(isOf(messageId)) : own).execute()
    return {}
  })

  serve(router, notices.follow, async ({ id }, { user }) => {
    // In one statement: it may be deleted meanwhile.
    const own = db.selectFrom('messages').select(['id', sql.val(user.id).as('user_id')])
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('followers')
      .columns(['message_id', 'user_id'])
      .expression(own.where('id', '=', id))
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirstOrThrow()
    const isThere = numInsertedOrUpdatedRows === 1n || (await findMessage(db, id)) !== undefined
    return isThere ? {} : throwHttpError(404, 'This enquiry no longer exists')
  })

  serve(router, notices.unfollow, async ({ id }, { user }) => {
    await db.deleteFrom('followers').where('user_id', '=', user.id).where(isOf(id)).execute()
    const answered = db.deleteFrom('notices').where('user_id', '=', user.id).where('kind', '=', 'answered')
    await answered.where(isOf(id)).execute()
    return {}
  })
}

/** Rows of a message, and of what is merged into it, which is shown there. */
const isOf = (messageId: string) => sql<SqlBool>`(message_id = ${messageId} or message_id in (
  select id from messages where merged_into = ${messageId} and merged_into is not null))`

export async function isFollowing(db: Database, messageId: string, userId: string): Promise<boolean> {
  const own = db.selectFrom('followers').select('user_id').where('user_id', '=', userId)
  return (await own.where(isOf(messageId)).limit(1).execute()).length > 0
}

async function listNotices(db: Database, clock: Clock, userId: string): Promise<Notice[]> {
  const rows = await selectNotices(db, clock, userId)
    .orderBy('notices.created_at', 'desc')
    .limit(MAX_NOTICES)
    .execute()
  return rows.map(({ message_id, reference, name, kind, by, created_at }) => ({
    ...{ messageId: message_id, reference, name, kind, by, createdAt: created_at },
  }))
}

function selectNotices(db: Database, clock: Clock, userId: string) {
  return noticesOf(db, clock, userId)
    .leftJoin('users as colleague', 'colleague.id', 'notices.by_id')
    .select(['messages.reference', 'messages.name', 'kind', 'notices.created_at', 'colleague.name as by'])
    .select('shown.id as message_id')
}

/** In how many enquiries something waits for somebody. */
export async function countNotices(db: Database, clock: Clock, userId: string): Promise<number> {
  const counted = noticesOf(db, clock, userId).select(eb =>
    eb.fn.count<number>('shown.id').distinct().as('count'),
  )
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/**
 * Nobody waits for them to look at what is done with (but for their own reply that was not sent), or is assigned to somebody else by now: what is merged is so with the one
 * that is kept. A snooze that has not ended, or was put off or lifted since, is none to be reminded of.
 */
function noticesOf(db: Database, clock: Clock, userId: string) {
  return db
    .selectFrom('notices')
    .innerJoin('messages', 'messages.id', 'notices.message_id')
    .innerJoin('messages as shown', join =>
      join.on(eb => eb('shown.id', '=', eb.fn.coalesce('messages.merged_into', 'messages.id'))),
    )
    .where('notices.user_id', '=', userId)
    .where(eb => eb.or([eb('shown.status', 'in', ['open', 'waiting']), eb('kind', '=', 'unsent')]))
    .where(eb => eb.or([eb('kind', '<>', 'assigned'), eb('shown.assignee_id', '=', userId)]))
    .where(eb => {
      const hasEnded = eb('notices.created_at', '<=', isoAfter(clock))
      const isSame = eb('messages.snoozed_until', '=', eb.ref('notices.created_at'))
      return eb.or([eb('kind', '<>', 'snoozed'), eb.and([hasEnded, isSame])])
    })
}

/** Says to somebody that messages are theirs from now on. What was said of the same to others is out of date. */
export async function addAssignedNotices(
  work: Work,
  messageIds: readonly string[],
  userId: string,
): Promise<void> {
  if (messageIds.length === 0) return
  const outOfDate = work.transaction.deleteFrom('notices').where('kind', '=', 'assigned')
  await outOfDate.where('message_id', 'in', messageIds).execute()
  await addNotices(work, 'assigned', messageIds, [userId])
}

/**
 * Says that a new email has come to who has the message, to who follows it or what is merged into it, and to who has snoozed it.
 * @param message as it was before that has ended its snooze
 * @param isEmailed whether who has the message gets that email itself
 */
export async function addAnsweredNotices(
  work: Work,
  { id, assignee_id, snoozed_until }: Pick<MessageRow, 'id' | 'assignee_id' | 'snoozed_until'>,
  isEmailed: boolean,
): Promise<void> {
  const now = isoAfter(work.clock)
  const followers = work.transaction.selectFrom('followers').select('user_id').where(isOf(id))
  const reminded = work.transaction.selectFrom('notices').select('user_id').where('kind', '=', 'snoozed')
  const ids = await followers.execute()
  if (snoozed_until !== null && snoozed_until > now)
    ids.push(...(await reminded.where(isOf(id)).where('created_at', '=', snoozed_until).execute()))
  const others = new Set(ids.map(({ user_id }) => user_id))
  if (assignee_id !== null) {
    others.delete(assignee_id)
    await addNotices(work, 'answered', [id], [assignee_id], isEmailed ? now : null)
  }
  await addNotices(work, 'answered', [id], [...others])
}

/**
 * Reminds somebody of a message when the snooze that they have chosen ends.
 * @param until as it is stored with the message
 * @param isUndo whether they only give back what somebody may have chosen, who has a reminder then
 */
export async function addReminder(
  { transaction }: Work,
  message_id: string,
  user_id: string,
  { until, isUndo }: { readonly until: string; readonly isUndo: boolean },
): Promise<void> {
  if (isUndo) {
    const same = transaction.selectFrom('notices').select('user_id').where('message_id', '=', message_id)
    const reminded = await same.where('kind', '=', 'snoozed').where('created_at', '=', until).execute()
    if (reminded.length > 0) return
  }
  const time = { by_id: null, created_at: until, emailed_at: null }
  await transaction
    .insertInto('notices')
    .values({ user_id, message_id, kind: 'snoozed', ...time })
    .onConflict(conflict => conflict.columns(['user_id', 'message_id', 'kind']).doUpdateSet(time))
    .execute()
}

/**
 * Leaves each of some people a notice of each message, in the transaction of what it says. Nobody gets one of their own doing.
 * @param emailed_at null where an email has to say it
 */
export async function addNotices(
  { transaction, clock, byId }: Work,
  kind: Notice['kind'],
  messageIds: readonly string[],
  userIds: readonly string[],
  emailed_at: string | null = null,
): Promise<void> {
  const time = { by_id: byId, created_at: isoAfter(clock), emailed_at }
  const others = userIds.filter(id => id !== byId)
  const rows = messageIds.flatMap(message_id =>
    others.map(user_id => ({ user_id, message_id, kind, ...time })),
  )
  if (rows.length === 0) return
  // One that is not looked at yet keeps its time, so that another one does not put off its email.
  await transaction
    .insertInto('notices')
    .values(rows)
    .onConflict(conflict => {
      // Of many mails, one email until somebody looks.
      const { created_at } = time
      const changed = kind === 'answered' ? { created_at } : time
      const again = conflict.columns(['user_id', 'message_id', 'kind']).doUpdateSet(changed)
      return again.where('notices.emailed_at', 'is not', null)
    })
    .execute()
}

/**
 * Writes one email to each person who has not looked for two minutes, and wants one. It has no word of a visitor or of a note:
 * it is read on telephones and in mailboxes that others see.
 */
export async function sendNoticeEmails(services: Services): Promise<void> {
  const { db, clock } = services
  const due = await db
    .selectFrom('notices')
    .innerJoin('users', 'users.id', 'notices.user_id')
    .select(['users.id', 'users.email', 'users.role', 'users.inbox', 'users.notice_emails'])
    .distinct()
    .where('emailed_at', 'is', null)
    .where('notices.created_at', '<=', isoAfter(clock, -EMAIL_AFTER))
    .execute()
  for (const { id, email, role, inbox, notice_emails } of due) {
    const isWanted = notice_emails === 1 && permissionsOf(role, inbox).includes('inbox:read')
    await sendNoticeEmail(services, { id, email: isWanted ? email : null })
  }
}

/** @param email null for who gets none: they get none of the same later either */
async function sendNoticeEmail(services: Services, { id, email: to }: { id: string; email: string | null }) {
  const { db, clock, outbox, settings, config, emailSignature } = services
  const signature = emailSignature((await settings.publicValues()).site_name)
  const { forYou: texts, labels } = signature.texts.emails
  await inTransaction(db, async transaction => {
    const rows = await takeNotices(transaction, clock, id)
    const [first] = rows
    // Another node was quicker, or they have looked.
    if (!first || to === null) return
    const count = new Set(rows.map(({ message_id }) => message_id)).size
    const url = `${config.publicUrl}/messages`
    const email = renderEmail(
      {
        to,
        subject: texts.subject(count, first.reference),
        opening: texts.opening,
        facts: [
          ...rows
            .slice(0, MAX_NOTICES)
            .map(({ reference, kind, by }) => [reference, texts[kind](by ?? texts.colleague)] as const),
          ...(rows.length > MAX_NOTICES ? ([[labels.more, String(rows.length - MAX_NOTICES)]] as const) : []),
        ],
        link: { label: texts.link, url: count === 1 ? `${url}?message=${first.message_id}` : url },
        closing: texts.closing,
      },
      signature,
    )
    await outbox.add(transaction, { ...email, isNotice: true }, null)
  })
}

/** The notices of which somebody has had no email, which they get now. */
async function takeNotices(transaction: Transaction, clock: Clock, userId: string) {
  const emailed_at = isoAfter(clock)
  const { numUpdatedRows } = await transaction
    .updateTable('notices')
    .set({ emailed_at })
    .where('user_id', '=', userId)
    .where('emailed_at', 'is', null)
    .where('created_at', '<=', emailed_at)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return []
  const taken = selectNotices(transaction, clock, userId).where('emailed_at', '=', emailed_at)
  return await taken.orderBy('notices.created_at').execute()
}

export async function deleteOldNotices(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<', isoAfter(clock, -KEPT)).execute()
}
