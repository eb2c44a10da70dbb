import { hashToken } from '../../auth/session.ts'
import { hashCode, isCodeRight, newCode } from '../../auth/six-digits.ts'
import { canonicalEmail } from '../../auth/staff-email.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import { isWithin } from '../../database/lifetime.ts'
import type { Database, MessageRow, Tables } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { DEFAULT_LANGUAGE } from '../../i18n/texts.ts'
import { type EmailContent, renderEmail } from '../../mail/email.ts'
import { days, hours, isoAfter, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { canReach, recipientHash } from '../inbox/acknowledgements/acknowledge.server.ts'
import { addVisitorToken, canBeFollowed, statusUrl } from './tokens.server.ts'

const CODE_LIFETIME = minutes(10)
const TRIES_PER_CODE = 5

/**
 * Emails to one address that somebody asks for by reference, and by a link: a stranger who knows the reference uses nothing of what
 * the links can do. Enough for slow mail, too few to fill a mailbox in somebody's name.
 */
const EMAILS = (by: 'reference' | 'link') => [
  { name: `emails to a visitor in an hour, by ${by}`, count: 5, per: hours(1) },
  { name: `emails to a visitor in a day, by ${by}`, count: 10, per: days(1) },
]
/** Far more than visitors of an agency ask for: beyond it, somebody makes the agency write to strangers. */
const ALL_EMAILS = { name: 'emails to visitors who asked', count: 200, per: hours(1) }
/** Requests of one client address. */
export const REQUESTS_PER_ADDRESS = { name: 'links and codes asked for', count: 20, per: hours(1) }

type RequestKind = Tables['visitor_requests']['kind']

interface Asked {
  readonly reference: string
  readonly email: string
}

/**
 * Stores that somebody wants a link or a code. Whether there is such an enquiry is looked up later, by `answerVisitorRequests`: so the
 * reply and the time that it takes are the same for everything.
 * @param asker by whom its code can be used @throws {HttpError} 429
 */
export async function askByReference(
  { db, clock, rateLimiter, outbox }: Services,
  kind: RequestKind,
  { reference, email }: Asked,
  { address, asker = newId(clock()) }: { readonly address: string; readonly asker?: string },
): Promise<void> {
  await rateLimiter.consume(REQUESTS_PER_ADDRESS, address)
  const row = { id: asker, kind, reference, email, created_at: isoAfter(clock) }
  await db.insertInto('visitor_requests').values(row).execute()
  outbox.wake()
}

/** Requests that are answered in one turn, so that other emails do not wait long. */
const AT_ONCE = 100

/** Sends the links and codes that were asked for, to the addresses that the enquiries have. */
export async function answerVisitorRequests(services: Services): Promise<void> {
  const { db } = services
  const waiting = db.selectFrom('visitor_requests').select('id').orderBy('created_at').limit(AT_ONCE)
  if (!(await waiting.executeTakeFirst())) return
  await inTransaction(db, async transaction => {
    const taken = await transaction
      .deleteFrom('visitor_requests')
      .where('id', 'in', waiting)
      .returning(['id', 'kind', 'reference', 'email'])
      .execute()
    for (const { id: asker, kind, ...asked } of taken) {
      const message = await findAsked(services, transaction, asked)
      if (kind === 'code') await emailCode(services, transaction, message, { asker, by: 'reference' })
      else if (message && (await mayEmail(services, transaction, message, 'reference')))
        await emailLink(services, transaction, message)
    }
  })
}

/** The enquiry with this reference, if this is its address and it can be followed. */
async function findAsked(
  { clock }: Pick<Services, 'clock'>,
  db: Database,
  { reference, email }: Asked,
): Promise<MessageRow | undefined> {
  const all = db.selectFrom('messages').selectAll().where('reference', '=', reference.trim().toUpperCase())
  const message = await all.executeTakeFirst()
  if (!message || message.email === '' || !(await canBeFollowed({ db, clock }, message))) return undefined
  return canonicalEmail(message.email) === canonicalEmail(email) ? message : undefined
}

/** Whether an address gets another email that somebody has asked for: of nobody who is known to get none. */
async function mayEmail(
  services: Services,
  transaction: Transaction,
  { email }: MessageRow,
  by: 'reference' | 'link',
): Promise<boolean> {
  const { rateLimiter, clock, keys } = services
  if (!(await canReach(transaction, clock, keys, email))) return false
  const recipient = recipientHash(keys, email)
  for (const limit of EMAILS(by)) if (!(await rateLimiter.tryConsume(limit, recipient))) return false
  return await rateLimiter.tryConsume(ALL_EMAILS, 'all')
}

/** Emails the holder of a link a code, which works with that link. @returns whether there is one more to send @throws {HttpError} 429 */
export async function emailCodeTo(
  services: Services,
  message: MessageRow,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<boolean> {
  await services.rateLimiter.consume(REQUESTS_PER_ADDRESS, address)
  return await inTransaction(services.db, async transaction => {
    // It may have been corrected since the page was read.
    const now = await transaction
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', message.id)
      .executeTakeFirst()
    return await emailCode(services, transaction, now, { asker: hashToken(token), by: 'link' })
  })
}

async function emailLink(services: Services, transaction: Transaction, message: MessageRow): Promise<void> {
  const { statusLink: texts } = services.textsFor(DEFAULT_LANGUAGE).emails
  await email(services, transaction, message, {
    subject: texts.subject(message.reference),
    opening: texts.opening(message.reference),
    link: { label: texts.link, url: statusUrl(services) },
    closing: texts.closing,
  })
}

interface Asking {
  readonly asker: string
  readonly by: 'reference' | 'link'
}

/** Stores a code, and emails it; @returns whether it did. Where there is no such enquiry it is stored all the same: trying it costs the same. */
async function emailCode(
  services: Services,
  transaction: Transaction,
  message: MessageRow | undefined,
  { asker, by }: Asking,
): Promise<boolean> {
  const { clock, keys } = services
  const isSent = message !== undefined && (await mayEmail(services, transaction, message, by))
  // The last one goes on working. Of reference and address nobody learns whether they are right: as if they were not.
  if (message && !isSent && by === 'link') return false
  const code = newCode()
  const row = {
    message_id: isSent ? message.id : null,
    code_hash: hashCode(keys.visitorCode, code),
    created_at: isoAfter(clock),
    tries: 0,
  }
  await transaction
    .insertInto('visitor_codes')
    .values({ asker, ...row })
    .onConflict(conflict => conflict.column('asker').doUpdateSet(row))
    .execute()
  if (!isSent) return false
  const { statusCode: texts } = services.textsFor(DEFAULT_LANGUAGE).emails
  await email(services, transaction, message, {
    subject: texts.subject(message.reference),
    opening: texts.opening(message.reference),
    facts: [[texts.code, code]],
    closing: texts.closing(CODE_LIFETIME / minutes(1)),
  })
  return true
}

async function email(
  { settings, outbox, emailSignature }: Services,
  transaction: Transaction,
  { id, email: to }: MessageRow,
  content: Omit<EmailContent, 'to'>,
): Promise<void> {
  const { site_name: siteName } = await settings.publicValues(transaction)
  const rendered = renderEmail({ to, ...content }, emailSignature(siteName))
  const written = {
    ...rendered,
    isAutomatic: true,
    needsProvider: true,
    ...(content.link && { statusLinkOf: id }),
  } as const
  await outbox.add(transaction, written, { kind: 'visitor', messageId: id })
}

/**
 * Exchanges a code for access to the page of an enquiry. It works once, for who has asked for it, and after five wrong ones no more.
 * @returns the token of the access; otherwise whether another try can help
 */
export async function spendCode(
  { db, clock, keys }: Pick<Services, 'db' | 'clock' | 'keys'>,
  asker: string,
  code: string,
): Promise<{ readonly access: string } | 'wrong' | 'ended'> {
  return await inTransaction(db, async transaction => {
    const stored = await transaction
      .selectFrom('visitor_codes')
      .selectAll()
      .where('asker', '=', asker)
      .$if(isPostgres(transaction), query => query.forUpdate())
      .executeTakeFirst()
    if (!stored || stored.tries >= TRIES_PER_CODE || !isWithin(stored.created_at, clock, -CODE_LIFETIME, 0))
      return 'ended'
    const isRight = isCodeRight(keys.visitorCode, code, stored.code_hash) && stored.message_id !== null
    const tries = isRight ? TRIES_PER_CODE : stored.tries + 1
    await transaction.updateTable('visitor_codes').set({ tries }).where('asker', '=', asker).execute()
    if (!isRight || stored.message_id === null) return tries < TRIES_PER_CODE ? 'wrong' : 'ended'
    return { access: await addVisitorToken({ db: transaction, clock }, stored.message_id, 'access') }
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
