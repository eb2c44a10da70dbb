import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '../../bot-check/verdict.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/open.ts'
import type { Database } from '../../database/tables.ts'
import { refuse } from '../../http/problem.ts'
import type { AuditLog } from '../../log.ts'
import type { Services } from '../../services.ts'
import type { SettingValues } from '../settings/contract.ts'
import { type Enquiry, type FormType, RECEIVED_MESSAGE, Received } from './contract.ts'
import { isFlooded } from './gather.server.ts'
import { inTurn } from './in-turn.server.ts'
import { type Noticed, noticeLetter } from './notice.server.ts'
import { limitsOf, STORED_PER_ADDRESS } from './quota.server.ts'
import { newReference } from './reference.server.ts'
import { claimKey, findAnswer, gatherNotice, insertEnquiry, ReferenceTaken } from './store.server.ts'

/** How a repeated request is recognised, and for how long it gets the first answer again. */
export interface Repeat {
  readonly key: string
  /** Milliseconds. */
  readonly lifetime: number
}

/** What the browser's own key is good for. */
export function repeatByKey(formType: FormType, key: string): Repeat {
  return { key: sha256(['key', formType, key]), lifetime: hours(24) }
}

/** A form sent without JavaScript has no key; the same content from the same address soon after is the same enquiry. */
export function repeatByContent(formType: FormType, address: string, enquiry: Enquiry): Repeat {
  return { key: sha256(['content', formType, address, contentOf(enquiry)]), lifetime: minutes(10) }
}

/** Together a second: as long as it takes to store an enquiry whose token is in order. */
const LOOKS_FOR_FIRST = 5
const BETWEEN_LOOKS = seconds(0.2)

interface Circumstances {
  /** The client address. */
  readonly address: string
  readonly log: AuditLog
  readonly repeat: Repeat | null
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
  circumstances: Circumstances,
): Promise<Received> {
  const { repeat } = circumstances
  if (!repeat) return await accept(services, formType, enquiry, circumstances)
  return await inTurn(services.db, repeat.key, () => accept(services, formType, enquiry, circumstances))
}

async function accept(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  { address, log, repeat }: Circumstances,
): Promise<Received> {
  const { limits, outbox, settings } = services
  const earlier = await findFirst(services, repeat)
  if (earlier) return replay(earlier, enquiry)
  limits.check(STORED_PER_ADDRESS, address)
  const values = await settings.read()
  const examined = await examine(services, values, enquiry, address, repeat)
  if (examined.first) return replay(examined.first, enquiry)
  const { verification } = examined
  const accepted = { formType, enquiry, address, log, repeat, verification, values }
  const stored = await storeOnce(services, accepted)
  if (!stored) return replay((await findFirst(services, repeat)) ?? refuseExpired(), enquiry)
  outbox.wake()
  stored.tell()
  return stored.received
}

/** A repeat brings the token that the first has used up, perhaps on another node: then that one's answer is near. */
async function examine(
  services: Services,
  values: SettingValues,
  { recaptchaToken }: Enquiry,
  address: string,
  repeat: Repeat | null,
) {
  try {
    return { verification: await services.botCheck.examine(recaptchaToken, address, values) }
  } catch (error) {
    const first = recaptchaToken && isPostgres(services.db) ? await awaitFirst(services, repeat) : undefined
    if (!first) throw error
    return { first }
  }
}

async function awaitFirst(services: Services, repeat: Repeat | null) {
  for (let look = 0; repeat && look < LOOKS_FOR_FIRST; look++) {
    const first = await findFirst(services, repeat)
    if (first) return first
    await sleep(BETWEEN_LOOKS)
  }
  return undefined
}

async function findFirst({ db, clock }: Services, repeat: Repeat | null) {
  return repeat && (await findAnswer(db, clock, repeat.key))
}

/** The first answer ran out between the claim of its key and this look: the next try is a new enquiry. */
function refuseExpired(): never {
  refuse(503, 'This is not possible right now. Please try again in a moment.', { retryAfter: 1 })
}

interface Accepted extends Circumstances {
  readonly formType: FormType
  readonly enquiry: Enquiry
  readonly verification: Verdict
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
    if (error instanceof ReferenceTaken) return await storeOnce(services, accepted)
    throw error
  }
}

async function store(
  services: Services,
  accepted: Accepted,
  received: Received,
): Promise<(() => void) | null> {
  const { db, clock, limits } = services
  const { formType, enquiry, address, log, repeat, verification, values } = accepted
  const { reference } = received
  let giveBackPlace = () => {}
  try {
    return await db.transaction().execute(async transaction => {
      const answered = repeat && { ...repeat, requestHash: sha256([contentOf(enquiry)]), reply: received }
      if (answered && !(await claimKey(transaction, clock, answered))) return null
      // Here and not before: of repeats that come at once only the one that is stored counts.
      giveBackPlace = await limits.spendWithin(transaction, limitsOf(verification), address)
      const isGathered = await isFlooded(transaction, clock)
      const id = await insertEnquiry(transaction, clock, { enquiry, formType, reference, verification })
      if (isGathered) await gatherNotice(transaction, clock, id)
      else await addNotice(services, transaction, values, { id, reference, formType, enquiry })
      const facts = { messageId: id, reference, formType, verification }
      return await log.within(transaction, 'info', 'FormService', 'An enquiry was received', facts)
    })
  } catch (error) {
    // Also when only the commit failed.
    giveBackPlace()
    throw error
  }
}

async function addNotice(
  { outbox, config, signature }: Services,
  transaction: Database,
  { form_email: staff, site_name: siteName }: SettingValues,
  noticed: Noticed,
) {
  const notice = noticeLetter(noticed, staff, config.publicUrl, signature(siteName))
  await outbox.add(transaction, notice, { messageId: noticed.id })
}

function replay(answer: { request_hash: string; reply: string }, enquiry: Enquiry): Received {
  if (answer.request_hash === sha256([contentOf(enquiry)])) return Received.parse(JSON.parse(answer.reply))
  return refuse(422, 'This Idempotency-Key was used for another enquiry')
}

/** What makes two requests the same enquiry; a bot-check token is new with every try. */
function contentOf({ name, email, phone, service, message }: Enquiry): string {
  return JSON.stringify([name, email, phone, service ?? null, message])
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
