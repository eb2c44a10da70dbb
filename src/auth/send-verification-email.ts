import { hours, isoAfter } from '../clock.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EmailSignature } from '../mail/email.ts'
import type { Services } from '../services.ts'
import { type Owner, verificationEmail } from './account-emails.ts'
import { hashToken, newToken } from './token.ts'

const LINK_LIFETIME = hours(24)

/** Queues the email with the link that verifies an address, in the transaction that sets the address. */
export async function sendVerificationEmail(
  { clock, config, outbox }: Services,
  transaction: Transaction,
  user: Owner & { readonly id: string },
  signature: EmailSignature,
): Promise<void> {
  const token = newToken()
  await transaction
    .insertInto('email_verifications')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      email: user.email,
      expires_at: isoAfter(clock, LINK_LIFETIME),
    })
    .execute()
  const url = `${config.publicUrl}/verify-email?token=${token}`
  await outbox.add(transaction, verificationEmail(user, url, signature), null)
}
