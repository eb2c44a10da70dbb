import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verification } from '../../bot-check/verification.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { SettingValues } from '../settings/contract.ts'
import { type Enquiry, type FormType, RECEIVED_MESSAGE, Received } from './contract.ts'
import { shouldDigest } from './digest.server.ts'
import { keyedMutex } from './keyed-mutex.server.ts'
import { type NoticeData, noticeEmail } from './notice.server.ts'
import { limitsOf, STORED_PER_ADDRESS } from './quota.server.ts'
import { newReference } from './reference.server.ts'
import { addDigestItem, claimKey, DuplicateReference, findReply, insertEnquiry } from './store.server.ts'

/** How a repeated request is recognised, and for how long it gets the first answer again. */
export interface IdempotencyKey {
  readonly key: string
  /** Milliseconds. */
  readonly lifetime: number
}

/** What the browser's own key is good for. */
export function keyFromHeader(formType: FormType, key: string): IdempotencyKey {
  return { key: sha256(['key', formType, key]), lifetime: hours(24) }
}

/** A form sent without JavaScript has no key; the same content from the same address soon after is the same enquiry. */
export function keyFromContent(formType: FormType, address: string, enquiry: Enquiry): IdempotencyKey {
  return { key: sha256(['content', formType, address, contentOf(enquiry)]), lifetime: minutes(10) }
}

/** Together a second: as long as it takes to store an enquiry whose token is in order. */
const LOOKS_FOR_FIRST = 5
const BETWEEN_LOOKS = seconds(0.2)

interface Origin {
  /** The client address. */
  readonly address: string
  readonly log: AuditLog
  readonly repeat: IdempotencyKey | null
}

/**
 * Stores an enquiry, the letter that tells staff of it, the answer to a repeat and the line of the log, in one
 * transaction: when this returns, all four are on disk. @throws {Problem} 400 for a bot-check token that does not count, 422 for a key that
 * was used for another enquiry, 429 over quota
 */
export async function acceptEnquiry(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  context: Origin,
): Promise<Received> {
  const { repeat } = context
  if (!repeat) return await accept(services, formType, enquiry, context)
  return await keyedMutex(services.db, repeat.key, () => accept(services, formType, enquiry, context))
}

async function accept(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  { address, log, repeat }: Origin,
): Promise<Received> {
  const { rateLimiter, outbox, settings } = services
  const earlier = await findStoredReply(services, repeat)
  if (earlier) return replay(earlier, enquiry)
  rateLimiter.check(STORED_PER_ADDRESS, address)
  const values = await settings.read()
  const examined = await verify(services, values, enquiry, address, repeat)
  if (examined.first) return replay(examined.first, enquiry)
  const { verification } = examined
  const accepted = { formType, enquiry, address, log, repeat, verification, values }
  const stored = await storeOnce(services, accepted)
  if (!stored) return replay((await findStoredReply(services, repeat)) ?? assertNotExpired(), enquiry)
  outbox.wake()
  stored.tell()
  return stored.received
}

/** A repeat brings the token that the first has used up, perhaps on another node: then that one's answer is near. */
async function verify(
  services: Services,
  values: SettingValues,
  { recaptchaToken }: Enquiry,
  address: string,
  repeat: IdempotencyKey | null,
) {
  try {
    return { verification: await services.botCheck.verify(recaptchaToken, address, values) }
  } catch (error) {
    const first =
      recaptchaToken && isPostgres(services.db) ? await awaitStoredReply(services, repeat) : undefined
    if (!first) throw error
    return { first }
  }
}

async function awaitStoredReply(services: Services, repeat: IdempotencyKey | null) {
  for (let look = 0; repeat && look < LOOKS_FOR_FIRST; look++) {
    const first = await findStoredReply(services, repeat)
    if (first) return first
    await sleep(BETWEEN_LOOKS)
  }
  return undefined
}

async function findStoredReply({ db, clock }: Services, repeat: IdempotencyKey | null) {
  return repeat && (await findReply(db, clock, repeat.key))
}

/** The first answer ran out between the claim of its key and this look: the next try is a new enquiry. */
function assertNotExpired(): never {
  throwHttpError(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 1 })
}

interface Accepted extends Origin {
  readonly formType: FormType
  readonly enquiry: Enquiry
  readonly verification: Verification
  /** The settings. */
  readonly values: SettingValues
}

interface Stored {
  readonly received: Received
  /** Prints the line of the log. */
  tell(): void
}

/**
 * Draws another reference when the one that was drawn is taken: with a million enquiries that is one in 55,000.
 * @returns null when a repeat was faster.
 */
async function storeOnce(services: Services, accepted: Accepted): Promise<Stored | null> {
  const received = { message: RECEIVED_MESSAGE, reference: newReference() }
  try {
    const tell = await store(services, accepted, received)
    return tell && { received, tell }
  } catch (error) {
    if (error instanceof DuplicateReference) return await storeOnce(services, accepted)
    throw error
  }
}

async function store(
  services: Services,
  accepted: Accepted,
  received: Received,
): Promise<(() => void) | null> {
  const { db, clock, rateLimiter } = services
  const { formType, enquiry, address, log, repeat, verification, values } = accepted
  const { reference } = received
  let refundQuota = () => {}
  try {
    return await db.transaction().execute(async transaction => {
      const replied = repeat && { ...repeat, requestHash: sha256([contentOf(enquiry)]), reply: received }
      if (replied && !(await claimKey(transaction, clock, replied))) return null
      // Here and not before: of repeats that come at once only the one that is stored counts.
      refundQuota = await rateLimiter.consumeInTransaction(transaction, limitsOf(verification), address)
      const isDigested = await shouldDigest(transaction, clock)
      const id = await insertEnquiry(transaction, clock, { enquiry, formType, reference, verification })
      if (isDigested) await addDigestItem(transaction, clock, id)
      else await addNotice(services, transaction, values, { id, reference, formType, enquiry })
      const facts = { messageId: id, reference, formType, verification }
      return await log.within(transaction, 'info', 'FormService', 'An enquiry was received', facts)
    })
  } catch (error) {
    // Also when only the commit failed.
    refundQuota()
    throw error
  }
}

async function addNotice(
  { outbox, config, emailSignature }: Services,
  transaction: Database,
  { form_email: staff, site_name: siteName }: SettingValues,
  noticed: NoticeData,
) {
  const notice = noticeEmail(noticed, staff, config.publicUrl, emailSignature(siteName))
  await outbox.add(transaction, notice, { messageId: noticed.id })
}

function replay(answer: { request_hash: string; reply: string }, enquiry: Enquiry): Received {
  if (answer.request_hash === sha256([contentOf(enquiry)])) return Received.parse(JSON.parse(answer.reply))
  return throwHttpError(422, 'This Idempotency-Key was used for another enquiry')
}

/** What makes two requests the same enquiry; a bot-check token is new with every try. */
function contentOf({ name, email, phone, service, message }: Enquiry): string {
  return JSON.stringify([name, email, phone, service ?? null, message])
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
