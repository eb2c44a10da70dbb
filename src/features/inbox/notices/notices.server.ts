import { permissionsOf } from '../../../auth/permissions.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { renderEmail } from '../../../mail/email.ts'
import { type Clock, days, isoAfter, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { Work } from '../history/entries.server.ts'
import { MAX_NOTICES, type Notice, notices } from './contract.ts'

/** Who looks into the inbox before that gets no email. */
const EMAIL_AFTER = minutes(2)
/** Who has not looked for so long does not look for it any more. */
const KEPT = days(60)

/** Serves the calls of the notices, which come before those for one message: theirs is the same path. */
export function serveNotices(router: ApiRouter): void {
  const { db } = router.services

  serve(router, notices.list, async (_input, { user }) => ({ notices: await listNotices(db, user.id) }))

  serve(router, notices.delete, async ({ messageId }, { user }) => {
    const own = db.deleteFrom('notices').where('user_id', '=', user.id)
    await (messageId ? own.where('message_id', '=', messageId) : own).execute()
    return {}
  })
}

async function listNotices(db: Database, userId: string): Promise<Notice[]> {
  const rows = await selectNotices(db, userId)
    .orderBy('notices.created_at', 'desc')
    .limit(MAX_NOTICES)
    .execute()
  return rows.map(({ message_id, reference, name, kind, by, created_at }) => ({
    ...{ messageId: message_id, reference, name, kind, by, createdAt: created_at },
  }))
}

function selectNotices(db: Database, userId: string) {
  return noticesOf(db, userId)
    .leftJoin('users as colleague', 'colleague.id', 'notices.by_id')
    .select(['message_id', 'messages.reference', 'messages.name', 'kind', 'notices.created_at'])
    .select('colleague.name as by')
}

/** How many notices somebody has not looked at. */
export async function countNotices(db: Database, userId: string): Promise<number> {
  const counted = noticesOf(db, userId).select(eb => eb.fn.countAll().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** What somebody was assigned and has no longer, nobody waits for them to look at. */
function noticesOf(db: Database, userId: string) {
  return db
    .selectFrom('notices')
    .innerJoin('messages', 'messages.id', 'notices.message_id')
    .where('notices.user_id', '=', userId)
    .where(eb => eb.or([eb('kind', '<>', 'assigned'), eb('messages.assignee_id', '=', userId)]))
}

/** Leaves colleagues a notice, in the transaction of what it says. Nobody gets one of what they do themselves. */
export async function addNotices(
  { transaction, clock, byId }: Work,
  { messageId, kind }: Pick<Notice, 'messageId' | 'kind'>,
  userIds: readonly string[],
): Promise<void> {
  const time = { by_id: byId, created_at: isoAfter(clock), emailed_at: null }
  const rows = userIds
    .filter(id => id !== byId)
    .map(user_id => ({ user_id, message_id: messageId, kind, ...time }))
  if (rows.length === 0) return
  await transaction
    .insertInto('notices')
    .values(rows)
    .onConflict(conflict => conflict.columns(['user_id', 'message_id', 'kind']).doUpdateSet(time))
    .execute()
}

/** The colleagues whom a note names: `@` and the whole name, or the first part of it where no other has the same. */
export function findMentioned(
  note: string,
  colleagues: readonly { readonly id: string; readonly name: string }[],
): string[] {
  const fold = (text: string) => text.normalize('NFKC').toLocaleLowerCase('en')
  const firstOf = (name: string) => fold(name).split(' ')[0] ?? ''
  const names = colleagues.flatMap(({ id, name }) => {
    const others = colleagues.filter(other => firstOf(other.name) === firstOf(name))
    return [fold(name), ...(others.length === 1 ? [firstOf(name)] : [])].map(text => ({ id, text }))
  })
  // Of `@Ana Lima`, an `Ana` is not meant.
  names.sort((one, other) => other.text.length - one.text.length)
  const found = fold(note)
    .split(NAMES)
    .slice(1, MAX_MENTIONS + 1)
    .map(rest =>
      names.find(({ text }) => rest.startsWith(text) && !/^[\p{L}\p{N}]/u.test(rest.slice(text.length))),
    )
  return [...new Set(found.flatMap(mention => mention?.id ?? []))]
}

/** The `@` of a name; that of an address has something before it. */
const NAMES = /(?<![\p{L}\p{N}._%+-])@/u
/** Of one note. */
const MAX_MENTIONS = 50

/**
 * Writes one email to each person who has not looked for two minutes, and wants one. It has no word of a visitor or of a note:
 * it is read on telephones and in mailboxes that others see.
 */
export async function sendNoticeEmails(services: Services): Promise<void> {
  const { db, clock } = services
  const waiting = await db
    .selectFrom('notices')
    .innerJoin('users', 'users.id', 'notices.user_id')
    .select(['users.id', 'users.email', 'users.role', 'users.inbox'])
    .distinct()
    .where('emailed_at', 'is', null)
    .where('notices.created_at', '<=', isoAfter(clock, -EMAIL_AFTER))
    .where('users.notice_emails', '=', 1)
    .execute()
  for (const { id, email, role, inbox } of waiting)
    if (permissionsOf(role, inbox).includes('inbox:read')) await sendNoticeEmail(services, { id, email })
}

async function sendNoticeEmail(services: Services, { id, email: to }: { id: string; email: string }) {
  const { db, clock, outbox, settings, config, emailSignature } = services
  const signature = emailSignature((await settings.publicValues()).site_name)
  const { forYou: texts, labels } = signature.texts.emails
  await inTransaction(db, async transaction => {
    const rows = await takeNotices(transaction, clock, id)
    const [first] = rows
    // Another node was quicker, or they have looked.
    if (!first) return
    const url = `${config.publicUrl}/messages`
    const email = renderEmail(
      {
        to,
        subject: texts.subject(rows.length, first.reference),
        opening: texts.opening,
        facts: [
          ...rows
            .slice(0, MAX_NOTICES)
            .map(({ reference, kind, by }) => [reference, texts[kind](by ?? texts.colleague)] as const),
          ...(rows.length > MAX_NOTICES ? ([[labels.more, String(rows.length - MAX_NOTICES)]] as const) : []),
        ],
        link: { label: texts.link, url: rows.length === 1 ? `${url}?message=${first.message_id}` : url },
        closing: texts.closing,
      },
      signature,
    )
    await outbox.add(transaction, { ...email, isNotice: true }, null)
  })
}

/** The notices of which somebody has had no email, which they get now. */
async function takeNotices(transaction: Transaction, clock: Clock, userId: string) {
  const taken = await transaction
    .updateTable('notices')
    .set({ emailed_at: isoAfter(clock) })
    .where('user_id', '=', userId)
    .where('emailed_at', 'is', null)
    .returning(['message_id', 'kind'])
    .execute()
  if (taken.length === 0) return []
  const names = new Set(taken.map(({ message_id, kind }) => `${kind} ${message_id}`))
  const rows = await selectNotices(transaction, userId).orderBy('notices.created_at').execute()
  return rows.filter(({ message_id, kind }) => names.has(`${kind} ${message_id}`))
}

export async function deleteOldNotices(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<', isoAfter(clock, -KEPT)).execute()
}
