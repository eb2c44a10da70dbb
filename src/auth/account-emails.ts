import type { UserRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Email, type EmailContent, type EmailSignature, renderEmail } from '../mail/email.ts'
import { days, hours, isoAfter } from '../platform/clock.ts'
import type { Services } from '../services.ts'
import { deletePasswordLinks } from './change-account.ts'
import { LINK_LIFETIMES } from './lifetimes.ts'
import { createPasswordLink } from './password-link.ts'
import { hashToken, newToken } from './session.ts'

/** The recipient of an email about their account. */
interface Owner {
  readonly email: string
  readonly name: string
}

/** The signature for emails, from the current settings. Call it before a transaction begins. */
export async function readSignature({ settings, emailSignature }: Services): Promise<EmailSignature> {
  return emailSignature((await settings.publicValues()).site_name)
}

const verificationEmail = linkEmailOf('verification')
const invitationEmail = linkEmailOf('invitation')
export const passwordResetEmail = linkEmailOf('passwordReset')

/** An email with one thing to do. @returns a function that takes for how long its link works, in the unit that it names */
function linkEmailOf(kind: 'verification' | 'invitation' | 'passwordReset') {
  return (owner: Owner, url: string, signature: EmailSignature, lifetime = 0): Email => {
    const { subject, opening, link, closing } = signature.texts.emails[kind]
    return accountEmail(owner, signature, {
      subject: subject(signature.siteName),
      opening: opening(owner.name, signature.siteName),
      link: { label: link, url },
      closing: typeof closing === 'string' ? closing : closing(lifetime),
    })
  }
}

export const passwordChangedEmail = warningOf('passwordChanged')
export const accountLockedEmail = warningOf('accountLocked')
export const codesBlockedEmail = warningOf('codesBlocked')

/** An email that says nothing but that something happened to the account. */
function warningOf(kind: 'passwordChanged' | 'accountLocked' | 'codesBlocked') {
  return (owner: Owner, signature: EmailSignature): Email => {
    const { subject, opening, closing } = signature.texts.emails[kind]
    return accountEmail(owner, signature, { subject, opening: opening(owner.name), closing })
  }
}

/** Sent to the old address: an intruder who took over the account reads the new one. */
export function addressChangedEmail(owner: Owner, newEmail: string, signature: EmailSignature): Email {
  const { labels, addressChanged: texts } = signature.texts.emails
  return accountEmail(owner, signature, {
    subject: texts.subject,
    opening: texts.opening(owner.name),
    facts: [[labels.newAddress, newEmail]],
    closing: texts.closing,
  })
}

interface NewDevice {
  /** For example `Chrome on Windows`. */
  readonly device: string
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

export function newDeviceEmail(owner: Owner, newDevice: NewDevice, signature: EmailSignature): Email {
  const { labels, newDevice: texts } = signature.texts.emails
  return accountEmail(owner, signature, {
    subject: texts.subject,
    opening: texts.opening(owner.name),
    facts: [
      [labels.browser, newDevice.device],
      [labels.networkAddress, newDevice.address],
      [labels.time, readableTime(newDevice.at)],
    ],
    closing: texts.closing,
  })
}

export interface SensitiveChangeDetails {
  /** The subject: a whole sentence without its full stop. */
  readonly what: string
  /** Label and value of what was changed. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly by: Owner
  /** The network address from which the change was made. */
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

/** Goes to every admin, so that they notice a change that none of them intended. */
export function sensitiveChangeEmail(
  owner: Owner,
  change: SensitiveChangeDetails,
  signature: EmailSignature,
): Email {
  const { labels, sensitiveChange: texts } = signature.texts.emails
  return accountEmail(owner, signature, {
    subject: change.what,
    opening: texts.opening(owner.name),
    facts: [
      [labels.what, change.what],
      ...change.facts,
      [labels.who, `${change.by.name} <${change.by.email}>`],
      [labels.networkAddress, change.address],
      [labels.time, readableTime(change.at)],
    ],
    closing: texts.closing,
  })
}

function readableTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

function accountEmail({ email }: Owner, signature: EmailSignature, content: Omit<EmailContent, 'to'>): Email {
  return renderEmail({ to: email, ...content }, signature)
}

/** Queues the email that invites a user without a password; earlier invitations no longer work. */
export async function sendInvitation(
  services: Services,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'name' | 'password_hash'>,
  signature: EmailSignature,
): Promise<void> {
  await deletePasswordLinks(transaction, user.id)
  const url = await createPasswordLink(transaction, services, user, 'invitation')
  const email = invitationEmail(user, url, signature, LINK_LIFETIMES.invitation / days(1))
  await services.outbox.add(transaction, email, null)
}

/** Milliseconds for which a link that verifies an address works, and the one that sets up an installation. */
export const LINK_LIFETIME = hours(24)

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
