import { createHash } from 'node:crypto'
import { hours, minutes } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import type { Services } from '../../services.ts'
import { type Enquiry, type FormType, RECEIVED_MESSAGE, Received } from './contract.ts'
import { noticeLetter } from './notice.server.ts'
import { newReference } from './reference.server.ts'
import { claimKey, findAnswer, insertEnquiry } from './store.server.ts'

/** Only what is stored takes from this; refused requests have a limit of their own. */
export const STORED_PER_ADDRESS = { name: 'stored enquiries', count: 10, per: minutes(10) }

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

/**
 * Stores an enquiry, the letter that tells staff of it and the answer to a repeat, in one transaction: when this
 * returns, all three are on disk. @throws {Problem} 422 for a key that was used for another enquiry, 429 over quota
 */
export async function acceptEnquiry(
  services: Services,
  formType: FormType,
  enquiry: Enquiry,
  { address, repeat }: { address: string; repeat: Repeat | null },
): Promise<Received> {
  const { db, clock, outbox, log } = services
  const earlier = repeat && (await findAnswer(db, clock, repeat.key))
  if (earlier) return replay(earlier, enquiry)
  services.limits.check(STORED_PER_ADDRESS, address)
  const received = { message: RECEIVED_MESSAGE, reference: newReference() }
  const isNew = await store(services, formType, enquiry, received, { address, repeat })
  const first = !isNew && repeat && (await findAnswer(db, clock, repeat.key))
  if (first) return replay(first, enquiry)
  outbox.wake()
  log('info', 'FormService', 'An enquiry was received', { reference: received.reference, formType })
  return received
}

async function store(
  { db, clock, outbox, settings, limits, config, signature }: Services,
  formType: FormType,
  enquiry: Enquiry,
  received: Received,
  { address, repeat }: { address: string; repeat: Repeat | null },
): Promise<boolean> {
  const { form_email: staff, site_name: siteName } = await settings.read()
  const { reference } = received
  return await db.transaction().execute(async transaction => {
    const answered = repeat && { ...repeat, requestHash: sha256([contentOf(enquiry)]), reply: received }
    if (answered && !(await claimKey(transaction, clock, answered))) return false
    // Here and not before: of repeats that come at once only the one that is stored counts.
    limits.spend(STORED_PER_ADDRESS, address)
    try {
      const id = await insertEnquiry(transaction, clock, {
        enquiry,
        formType,
        reference,
        verification: 'off',
      })
      const noticed = { id, reference, formType, enquiry }
      const notice = noticeLetter(noticed, staff, config.publicUrl, signature(siteName))
      await outbox.add(transaction, notice, { messageId: id })
    } catch (error) {
      limits.giveBack(STORED_PER_ADDRESS, address)
      throw error
    }
    return true
  })
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
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
