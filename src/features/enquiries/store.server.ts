import { type Clock, isoAfter } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import type { Enquiry, FormType, Received } from './contract.ts'

/** Writes the enquiry, unread. @returns its id. */
export async function insertEnquiry(
  db: Database,
  clock: Clock,
  {
    enquiry,
    formType,
    reference,
    verification,
  }: { enquiry: Enquiry; formType: FormType; reference: string; verification: string },
): Promise<string> {
  const id = newId(clock())
  const { name, email, phone, service = null, message } = enquiry
  const written = { name, email, phone, service, message }
  await db
    .insertInto('messages')
    .values({
      id,
      reference,
      form_type: formType,
      ...written,
      is_read: 0,
      verification,
      created_at: isoAfter(clock),
    })
    .execute()
  return id
}

interface AnsweredRequest {
  readonly key: string
  readonly requestHash: string
  readonly reply: Received
  /** Milliseconds for which a repeat gets the same answer. */
  readonly lifetime: number
}

/**
 * Claims a key for this request, in the transaction that does its work. Of several at once one gets it; the others
 * wait for it and then find its answer. @returns whether it was free.
 */
export async function claimKey(
  db: Database,
  clock: Clock,
  { key, requestHash, reply, lifetime }: AnsweredRequest,
): Promise<boolean> {
  await db
    .deleteFrom('idempotency_keys')
    .where('key', '=', key)
    .where('expires_at', '<=', isoAfter(clock))
    .execute()
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('idempotency_keys')
    .values({
      key,
      request_hash: requestHash,
      reply: JSON.stringify(reply),
      expires_at: isoAfter(clock, lifetime),
    })
    .onConflict(conflict => conflict.column('key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The answer that a key was given, if it still counts. */
export async function findAnswer(db: Database, clock: Clock, key: string) {
  return await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('key', '=', key)
    .where('expires_at', '>', isoAfter(clock))
    .executeTakeFirst()
}

/** Removes answers that no longer count. */
export async function forgetExpiredKeys(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', isoAfter(clock)).execute()
}
