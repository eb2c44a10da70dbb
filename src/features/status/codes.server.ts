import { hashCode, isCodeRight, newCode } from '../../auth/six-digits.ts'
import { canonicalEmail } from '../../auth/staff-email.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import { isWithin } from '../../database/lifetime.ts'
import type { Database, MessageRow, Tables } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { type EmailContent, renderEmail } from '../../mail/email.ts'
import { days, hours, isoAfter, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { isLinkAlive, statusUrl } from './tokens.server.ts'

const CODE_LIFETIME = minutes(10)
const TRIES_PER_CODE = 5

/** Emails that one enquiry causes by itself: enough for slow mail, too few to fill a mailbox in somebody's name. */
const EMAILS = [
  { name: 'links and codes of an enquiry in an hour', count: 5, per: hours(1) },
  { name: 'links and codes of an enquiry in a day', count: 10, per: days(1) },
]
/** Requests of one client address. */
export const REQUESTS_PER_ADDRESS = { name: 'links and codes asked for', count: 20, per: hours(1) }

type RequestKind = Tables['visitor_requests']['kind']

interface Asked {
  readonly reference: string
  readonly email: string
}

/**
 * Stores that somebody wants a link or a code. Whether there is such an enquiry is looked up later, by `answerVisitorRequests`: so the
 * reply and the time that it takes are the same for everything. @throws {HttpError} 429
 */
export async function askByReference(
  { db, clock, rateLimiter, outbox }: Services,
  kind: RequestKind,
  { reference, email }: Asked,
  address: string,
): Promise<void> {
  await rateLimiter.consume(REQUESTS_PER_ADDRESS, address)
  const row = { id: newId(clock()), kind, reference, email, created_at: isoAfter(clock) }
  await db.insertInto('visitor_requests').values(row).execute()
  outbox.wake()
}

/** Requests that are answered in one turn, so that other emails do not wait long. */
const AT_ONCE = 100

/** Sends the links and codes that were asked for, to the addresses that the enquiries have. */
export async function answerVisitorRequests(services: Services): Promise<void> {
  const { db } = services
  const waiting = db.selectFrom('visitor_requests').select('id').orderBy('id').limit(AT_ONCE)
  if (!(await waiting.executeTakeFirst())) return
  await inTransaction(db, async transaction => {
    const taken = await transaction
      .deleteFrom('visitor_requests')
      .where('id', 'in', waiting)
      .returning(['kind', 'reference', 'email'])
      .execute()
    for (const { kind, ...asked } of taken) {
      const message = await findAsked(services, transaction, asked)
      if (message) await sendTo(services, transaction, message, kind)
    }
  })
}

/** The enquiry with this reference, if this is its address and it can still be followed. */
export async function findAsked(
  { clock }: Pick<Services, 'clock'>,
  db: Database,
  { reference, email }: Asked,
): Promise<MessageRow | undefined> {
  const all = db.selectFrom('messages').selectAll().where('reference', '=', reference.trim().toUpperCase())
  const message = await all.where('status', '!=', 'spam').executeTakeFirst()
  if (!message || message.email === '' || !isLinkAlive(message, clock)) return undefined
  return canonicalEmail(message.email) === canonicalEmail(email) ? message : undefined
}

/** Emails a link, or a code, about an enquiry: not more often than its address can bear. */
export async function sendTo(
  services: Services,
  transaction: Transaction,
  message: MessageRow,
  kind: RequestKind,
): Promise<void> {
  const { rateLimiter, log } = services
  for (const limit of EMAILS)
    if (!(await rateLimiter.tryConsume(limit, message.id)))
      return await log.within(transaction, 'warning', 'EmailService', 'Too many links and codes asked for', {
        messageId: message.id,
      })
  if (kind === 'code') await emailCode(services, transaction, message)
  else await emailLink(services, transaction, message)
}

async function emailLink(services: Services, transaction: Transaction, message: MessageRow): Promise<void> {
  const { statusLink: texts } = services.textsFor('en').emails
  await email(services, transaction, message, {
    subject: texts.subject(message.reference),
    opening: texts.opening(message.reference),
    link: { label: texts.link, url: statusUrl(services) },
    closing: texts.closing,
  })
}

async function emailCode(services: Services, transaction: Transaction, message: MessageRow): Promise<void> {
  const { clock, keys } = services
  const code = newCode()
  const code_hash = hashCode(keys.visitorCode, code)
  const row = { code_hash, created_at: isoAfter(clock), tries: 0 }
  await transaction
    .insertInto('visitor_codes')
    .values({ message_id: message.id, ...row })
    .onConflict(conflict => conflict.column('message_id').doUpdateSet(row))
    .execute()
  const { statusCode: texts } = services.textsFor('en').emails
  await email(services, transaction, message, {
    subject: texts.subject(message.reference),
    opening: texts.opening(message.reference),
    facts: [[texts.code, code]],
    closing: texts.closing(CODE_LIFETIME / minutes(1)),
  })
}

async function email(
  { settings, outbox, emailSignature }: Services,
  transaction: Transaction,
  { id, email: to }: MessageRow,
  content: Omit<EmailContent, 'to'>,
): Promise<void> {
  const { site_name: siteName } = await settings.publicValues(transaction)
  const rendered = renderEmail({ to, ...content }, emailSignature(siteName))
  const written = { ...rendered, isAutomatic: true, ...(content.link && { statusLinkOf: id }) } as const
  await outbox.add(transaction, written, { kind: 'visitor', messageId: id })
}

/** Whether this is the code that was emailed about an enquiry. It works once, and after five wrong ones no more. */
export async function spendCode(
  { db, clock, keys }: Pick<Services, 'db' | 'clock' | 'keys'>,
  messageId: string,
  code: string,
): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    const stored = await transaction
      .selectFrom('visitor_codes')
      .selectAll()
      .where('message_id', '=', messageId)
      .$if(isPostgres(transaction), query => query.forUpdate())
      .executeTakeFirst()
    if (!stored || stored.tries >= TRIES_PER_CODE || !isWithin(stored.created_at, clock, -CODE_LIFETIME, 0))
      return false
    const isRight = isCodeRight(keys.visitorCode, code, stored.code_hash)
    const tries = isRight ? TRIES_PER_CODE : stored.tries + 1
    await transaction
      .updateTable('visitor_codes')
      .set({ tries })
      .where('message_id', '=', messageId)
      .execute()
    return isRight
  })
}

/** Codes that nobody has typed in time. */
export async function deleteExpiredVisitorCodes({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const expired = db.deleteFrom('visitor_codes').where('created_at', '<=', isoAfter(clock, -CODE_LIFETIME))
  await expired.execute()
}
