import { days } from '../clock.ts'
import type { UserRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EmailSignature } from '../mail/email.ts'
import type { Services } from '../services.ts'
import { invitationEmail } from './account-emails.ts'
import { deletePasswordLinks } from './change-account.ts'
import { LINK_LIFETIMES } from './link-lifetimes.ts'
import { createPasswordLink } from './password-link.ts'

/** Queues the email that invites a user without a password; earlier invitations no longer work. */
export async function sendInvitation(
  services: Services,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'name' | 'password_hash'>,
  signature: EmailSignature,
): Promise<void> {
  await deletePasswordLinks(transaction, user.id)
  const url = await createPasswordLink(transaction, services, user, 'invitation')
  const email = invitationEmail(user, url, LINK_LIFETIMES.invitation / days(1), signature)
  await services.outbox.add(transaction, email, null)
}
