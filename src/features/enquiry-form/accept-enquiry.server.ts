import { isUnverified, type Verification } from '../../bot-check/bot-check.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { type Attempt, replyOnce } from '../../http/idempotency.ts'
import type { IdempotencyKey } from '../../http/idempotency-store.ts'
import type { Limit } from '../../http/limits/rate-limiter.ts'
import { replies } from '../../i18n/texts.ts'
import type { AuditLog } from '../../log/logger.ts'
import { newReplyKey, type ReplyMailbox, replyAddress } from '../../mail/reply-address.ts'
import { type Clock, hours, isoAfter, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import type { PublicValues } from '../settings/contract.ts'
import { type Enquiry, type FormType, Received } from './contract.ts'
import { shouldDigest } from './notices/digest.server.ts'
import { type NoticeData, noticeEmail } from './notices/notice.server.ts'
import { newReference } from './reference.server.ts'
import { addDigestItem, DuplicateReference, insertEnquiry } from './store.server.ts'

interface Origin {
  readonly address: string
  readonly log: AuditLog
  readonly idempotencyKey: IdempotencyKey | null
}

/**
 * Stores an enquiry, the email that notifies staff, the reply to a repeat and the log entry in one transaction: when
 * this returns, all four are on disk. @throws {HttpError} 400 for an invalid bot-check token, 422 for a key that was
 * used for another enquiry, 429 over quota
 */
export async function acceptEnquiry(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  { address, log, idempotencyKey }: Origin,
): Promise<Received> {
  const { rateLimiter, settings } = services
  const stands = async ({ reference }: Received) => await isStored(services.db, reference)
  const work = async (attempt: Attempt) => {
    rateLimiter.check(STORED_PER_ADDRESS, address)
    const values = await settings.publicValues()
    const mailbox = await services.mailConnection()
    const verification = await verify(services, values, enquiry, address, attempt)
    const isAcknowledged = await mayAcknowledge(services, values, verification, address)
    const accepted = {
      formType,
      enquiry,
      address,
      log,
      attempt,
      verification,
      values,
      mailbox,
      isAcknowledged,
    }
    try {
      return await store(services, accepted)
    } catch (error) {
      if (isAcknowledged) await rateLimiter.refund(ACKNOWLEDGED_PER_ADDRESS, address)
      throw error
    }
  }
  return await replyOnce(services, idempotencyKey, Received, work, stands)
}

/** Who sends again what staff have deleted since would otherwise be thanked for nothing. */
async function isStored(db: Database, reference: string): Promise<boolean> {
  const message = db.selectFrom('messages').select('id').where('reference', '=', reference)
  return (await message.executeTakeFirst()) !== undefined
}

/** A repeat has the token that the first request used up, so an invalid one is only an error when that has no reply. */
async function verify(
  { botCheck }: Services,
  values: PublicValues,
  { recaptchaToken }: Enquiry,
  address: string,
  attempt: Attempt,
): Promise<Verification> {
  try {
    return await botCheck.verify(recaptchaToken, address, values)
  } catch (error) {
    if (recaptchaToken) await attempt.awaitFirstReply()
    throw error
  }
}

interface Accepted {
  readonly formType: FormType
  readonly enquiry: Enquiry
  readonly address: string
  readonly log: AuditLog
  readonly attempt: Attempt
  readonly verification: Verification
  readonly values: PublicValues
  /** Where staff answer notices; null while no mailbox is fetched. */
  readonly mailbox: ReplyMailbox | null
  readonly isAcknowledged: boolean
}

/** Generates another reference when the first one is taken: with a million enquiries that is one in 55,000. */
async function store(services: Services, accepted: Accepted): Promise<Received> {
  const received = { message: replies.received, reference: newReference() }
  try {
    await inTransaction(services.db, transaction => insert(services, transaction, accepted, received))
    return received
  } catch (error) {
    if (error instanceof DuplicateReference) return await store(services, accepted)
    throw error
  }
}

async function insert(
  services: Services,
  transaction: Transaction,
  { formType, enquiry, address, log, attempt, verification, values, mailbox, isAcknowledged }: Accepted,
  received: Received,
) {
  const { clock, rateLimiter, content } = services
  const { reference } = received
  await attempt.storeReply(transaction, received)
  // Only after that: of concurrent repeats only the one that is stored counts.
  await rateLimiter.consumeInTransaction(transaction, limitsOf(verification), address)
  const isDigested = await shouldDigest(transaction, clock)
  const { site } = content.read()
  const replyKey = mailbox && newReplyKey()
  const stored = { enquiry, formType, reference, verification, site, replyKey }
  const id = await insertEnquiry(transaction, clock, stored)
  if (isDigested) await addDigestItem(transaction, clock, id)
  else {
    const answersTo = mailbox && replyAddress(mailbox, replyKey)
    await addNotice(services, transaction, values, { id, reference, formType, enquiry, answersTo })
  }
  if (isAcknowledged) await requestAcknowledgement(transaction, clock, id)
  const facts = { messageId: id, reference, formType, verification }
  await log.within(transaction, 'info', 'FormService', 'Enquiry received', facts)
}

async function addNotice(
  { outbox, config, emailSignature }: Services,
  transaction: Transaction,
  { form_email: staff, site_name: siteName }: PublicValues,
  data: NoticeData,
) {
  const notice = noticeEmail(data, staff, config.publicUrl, emailSignature(siteName))
  await outbox.add(transaction, notice, { kind: 'notice', messageId: data.id })
}

/** What makes two requests the same enquiry. The bot-check token is left out: it is new with every attempt. */
export function contentOf({ name, email, phone, service, message, details = {} }: Enquiry): string {
  const answers = Object.entries(details).sort(([one], [other]) => (one < other ? -1 : 1))
  // Without details as the previous version wrote it, whose keys are still valid for a day.
  return JSON.stringify([
    name,
    email,
    phone,
    service ?? null,
    message,
    ...(answers.length > 0 ? [answers] : []),
  ])
}

/** Enough for a family, too few to send emails to many strangers. */
export const ACKNOWLEDGED_PER_ADDRESS = { name: 'acknowledgements', count: 3, per: hours(1) }

/**
 * Whether the sender of an enquiry may get an acknowledgement. Consumes one of what the client address has, so that the
 * address itself is stored nowhere.
 */
async function mayAcknowledge(
  { rateLimiter }: Services,
  { acknowledgement_enabled: isEnabled }: PublicValues,
  verification: Verification,
  address: string,
): Promise<boolean> {
  if (isEnabled !== 'true' || verification !== 'verified') return false
  return await rateLimiter.tryConsume(ACKNOWLEDGED_PER_ADDRESS, address)
}

/** Has the outbox write the email after the enquiry is stored, so that the visitor does not wait for that. */
export async function requestAcknowledgement(transaction: Database, clock: Clock, id: string): Promise<void> {
  await transaction
    .insertInto('acknowledgements')
    .values({ message_id: id, recipient_hash: null, created_at: isoAfter(clock), decided_at: null })
    .execute()
}

/** Counts stored enquiries only; refused requests have a limit of their own. */
export const STORED_PER_ADDRESS = { name: 'stored enquiries', count: 10, per: minutes(10) }
/** How many of those may be unverified: enough for a family, too few for a flood. */
const UNVERIFIED_PER_ADDRESS = { name: 'unverified enquiries', count: 3, per: minutes(10) }

function limitsOf(verification: Verification): readonly Limit[] {
  return isUnverified(verification) ? [STORED_PER_ADDRESS, UNVERIFIED_PER_ADDRESS] : [STORED_PER_ADDRESS]
}
