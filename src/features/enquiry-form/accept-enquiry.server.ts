import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verification } from '../../bot-check/verification.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { PublicValues } from '../settings/contract.ts'
import { type Enquiry, type FormType, RECEIVED_MESSAGE, Received } from './contract.ts'
import { shouldDigest } from './digest.server.ts'
import { keyedMutex } from './keyed-mutex.server.ts'
import { type NoticeData, noticeEmail } from './notice.server.ts'
import { limitsOf, STORED_PER_ADDRESS } from './quota.server.ts'
import { newReference } from './reference.server.ts'
import { addDigestItem, claimKey, DuplicateReference, findReply, insertEnquiry } from './store.server.ts'

/** How a repeated request is recognised, and for how long it gets the first reply again. */
export interface IdempotencyKey {
  readonly key: string
  /** Milliseconds. */
  readonly lifetime: number
}

/** The key that the browser sent in the `Idempotency-Key` header. */
export function keyFromHeader(formType: FormType, key: string): IdempotencyKey {
  return { key: sha256(['key', formType, key]), lifetime: hours(24) }
}

/** A form sent without JavaScript has no key: the same content from the same address within minutes is one enquiry. */
export function keyFromContent(formType: FormType, address: string, enquiry: Enquiry): IdempotencyKey {
  return { key: sha256(['content', formType, address, contentOf(enquiry)]), lifetime: minutes(10) }
}

/** Together a second: as long as it takes to store an enquiry with a valid token. */
const MAX_REPLY_POLLS = 5
const REPLY_POLL_INTERVAL = seconds(0.2)

interface Origin {
  /** The client address. */
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
  context: Origin,
): Promise<Received> {
  const { idempotencyKey } = context
  if (!idempotencyKey) return await accept(services, formType, enquiry, context)
  return await keyedMutex(services.db, idempotencyKey.key, () => accept(services, formType, enquiry, context))
}

async function accept(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  { address, log, idempotencyKey }: Origin,
): Promise<Received> {
  const { rateLimiter, outbox, settings } = services
  const earlier = await findStoredReply(services, idempotencyKey)
  if (earlier) return replay(earlier, enquiry)
  rateLimiter.check(STORED_PER_ADDRESS, address)
  const values = await settings.publicValues()
  const result = await verify(services, values, enquiry, address, idempotencyKey)
  if (result.first) return replay(result.first, enquiry)
  const { verification } = result
  const accepted = { formType, enquiry, address, log, idempotencyKey, verification, values }
  const stored = await storeOnce(services, accepted)
  if (!stored) return replay((await findStoredReply(services, idempotencyKey)) ?? throwExpired(), enquiry)
  outbox.wake()
  stored.printLogEntry()
  return stored.received
}

/**
 * A repeat has the token that the first request used up, perhaps on another node. The first reply is then stored soon,
 * so an invalid token is only an error when no reply appears.
 */
async function verify(
  services: Services,
  values: PublicValues,
  { recaptchaToken }: Enquiry,
  address: string,
  idempotencyKey: IdempotencyKey | null,
) {
  try {
    return { verification: await services.botCheck.verify(recaptchaToken, address, values) }
  } catch (error) {
    const first =
      recaptchaToken && isPostgres(services.db) ? await awaitStoredReply(services, idempotencyKey) : undefined
    if (!first) throw error
    return { first }
  }
}

async function awaitStoredReply(services: Services, idempotencyKey: IdempotencyKey | null) {
  for (let poll = 0; idempotencyKey && poll < MAX_REPLY_POLLS; poll++) {
    const first = await findStoredReply(services, idempotencyKey)
    if (first) return first
    await sleep(REPLY_POLL_INTERVAL)
  }
  return undefined
}

async function findStoredReply({ db, clock }: Services, idempotencyKey: IdempotencyKey | null) {
  return idempotencyKey && (await findReply(db, clock, idempotencyKey.key))
}

/** The first reply expired after its key was claimed and before it was read: the next attempt is a new enquiry. */
function throwExpired(): never {
  throwHttpError(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 1 })
}

interface Accepted extends Origin {
  readonly formType: FormType
  readonly enquiry: Enquiry
  readonly verification: Verification
  /** The settings, without secrets. */
  readonly values: PublicValues
}

interface Stored {
  readonly received: Received
  /** Prints the log entry, once its transaction is committed. */
  printLogEntry(): void
}

/**
 * Generates another reference when the first one is taken: with a million enquiries that is one in 55,000.
 * @returns null when a concurrent repeat was stored first.
 */
async function storeOnce(services: Services, accepted: Accepted): Promise<Stored | null> {
  const received = { message: RECEIVED_MESSAGE, reference: newReference() }
  try {
    const printLogEntry = await store(services, accepted, received)
    return printLogEntry && { received, printLogEntry }
  } catch (error) {
    if (error instanceof DuplicateReference) return await storeOnce(services, accepted)
    throw error
  }
}

async function store(
  services: Services,
  accepted: Accepted,
  received: Received,
): Promise<Stored['printLogEntry'] | null> {
  const { db, clock, rateLimiter } = services
  const { formType, enquiry, address, log, idempotencyKey, verification, values } = accepted
  const { reference } = received
  let refundQuota = () => {}
  try {
    return await db.transaction().execute(async transaction => {
      const requestHash = sha256([contentOf(enquiry)])
      const replied = idempotencyKey && { ...idempotencyKey, requestHash, reply: received }
      if (replied && !(await claimKey(transaction, clock, replied))) return null
      // Only after the key is claimed: of concurrent repeats only the one that is stored counts.
      refundQuota = await rateLimiter.consumeInTransaction(transaction, limitsOf(verification), address)
      const isDigested = await shouldDigest(transaction, clock)
      const id = await insertEnquiry(transaction, clock, { enquiry, formType, reference, verification })
      if (isDigested) await addDigestItem(transaction, clock, id)
      else await addNotice(services, transaction, values, { id, reference, formType, enquiry })
      const facts = { messageId: id, reference, formType, verification }
      return await log.within(transaction, 'info', 'FormService', 'Enquiry received', facts)
    })
  } catch (error) {
    // Also needed when only the commit failed.
    refundQuota()
    throw error
  }
}

async function addNotice(
  { outbox, config, emailSignature }: Services,
  transaction: Database,
  { form_email: staff, site_name: siteName }: PublicValues,
  data: NoticeData,
) {
  const notice = noticeEmail(data, staff, config.publicUrl, emailSignature(siteName))
  await outbox.add(transaction, notice, { messageId: data.id })
}

function replay(stored: { request_hash: string; reply: string }, enquiry: Enquiry): Received {
  if (stored.request_hash === sha256([contentOf(enquiry)])) return Received.parse(JSON.parse(stored.reply))
  return throwHttpError(422, 'This Idempotency-Key was used for another enquiry')
}

/** What makes two requests the same enquiry. The bot-check token is left out: it is new with every attempt. */
function contentOf({ name, email, phone, service, message }: Enquiry): string {
  return JSON.stringify([name, email, phone, service ?? null, message])
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
