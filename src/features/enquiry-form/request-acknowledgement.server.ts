import type { Verification } from '../../bot-check/bot-check.ts'
import { type Clock, hours, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import type { Services } from '../../services.ts'
import type { PublicValues } from '../settings/contract.ts'

/** Enough for a family, too few to send emails to many strangers. */
export const ACKNOWLEDGED_PER_ADDRESS = { name: 'acknowledgements', count: 3, per: hours(1) }

/**
 * Whether the sender of an enquiry may get an acknowledgement. Consumes one of what the client address has, so that the
 * address itself is stored nowhere.
 */
export async function mayAcknowledge(
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
