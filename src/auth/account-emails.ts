import { type Email, type EmailSignature, renderEmail } from '../mail/email.ts'
import type { Services } from '../services.ts'

/** The recipient of an email about their account. */
export interface Owner {
  readonly email: string
  readonly name: string
}

/** The signature for emails, from the current settings. Call it before a transaction begins. */
export async function readSignature({ settings, emailSignature }: Services): Promise<EmailSignature> {
  return emailSignature((await settings.publicValues()).site_name)
}

export function verificationEmail({ email, name }: Owner, url: string, signature: EmailSignature): Email {
  const texts = signature.texts.emails.verification
  return renderEmail(
    {
      to: email,
      subject: texts.subject(signature.siteName),
      opening: texts.opening(name),
      link: { label: texts.link, url },
      closing: texts.closing,
    },
    signature,
  )
}

export function invitationEmail(
  { email, name }: Owner,
  url: string,
  lifetimeDays: number,
  signature: EmailSignature,
): Email {
  const texts = signature.texts.emails.invitation
  return renderEmail(
    {
      to: email,
      subject: texts.subject(signature.siteName),
      opening: texts.opening(name, signature.siteName),
      link: { label: texts.link, url },
      closing: texts.closing(lifetimeDays),
    },
    signature,
  )
}

export function passwordResetEmail(
  { email, name }: Owner,
  url: string,
  lifetimeMinutes: number,
  signature: EmailSignature,
): Email {
  const texts = signature.texts.emails.passwordReset
  return renderEmail(
    {
      to: email,
      subject: texts.subject(signature.siteName),
      opening: texts.opening(name),
      link: { label: texts.link, url },
      closing: texts.closing(lifetimeMinutes),
    },
    signature,
  )
}

export function passwordChangedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  const texts = signature.texts.emails.passwordChanged
  return renderEmail(
    {
      to: email,
      subject: texts.subject,
      opening: texts.opening(name),
      closing: texts.closing,
    },
    signature,
  )
}

/** Goes to the old address: somebody who took over the account reads the new one. */
export function addressChangedEmail(
  { email, name }: Owner,
  newEmail: string,
  signature: EmailSignature,
): Email {
  const { labels, addressChanged: texts } = signature.texts.emails
  return renderEmail(
    {
      to: email,
      subject: texts.subject,
      opening: texts.opening(name),
      facts: [[labels.newAddress, newEmail]],
      closing: texts.closing,
    },
    signature,
  )
}

interface NewDevice {
  /** For example `Chrome on Windows`. */
  readonly device: string
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

export function newDeviceEmail(
  { email, name }: Owner,
  newDevice: NewDevice,
  signature: EmailSignature,
): Email {
  const { labels, newDevice: texts } = signature.texts.emails
  return renderEmail(
    {
      to: email,
      subject: texts.subject,
      opening: texts.opening(name),
      facts: [
        [labels.browser, newDevice.device],
        [labels.networkAddress, newDevice.address],
        [labels.time, readableTime(newDevice.at)],
      ],
      closing: texts.closing,
    },
    signature,
  )
}

interface SensitiveChangeDetails {
  /** The subject: a whole sentence without its full stop. */
  readonly what: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly by: Owner
  /** The network address from which the change was made. */
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

/** Goes to every admin, so that they notice a change that none of them intended. */
export function sensitiveChangeEmail(
  { email, name }: Owner,
  change: SensitiveChangeDetails,
  signature: EmailSignature,
): Email {
  const { labels, sensitiveChange: texts } = signature.texts.emails
  return renderEmail(
    {
      to: email,
      subject: change.what,
      opening: texts.opening(name),
      facts: [
        [labels.what, change.what],
        ...change.facts,
        [labels.who, `${change.by.name} <${change.by.email}>`],
        [labels.networkAddress, change.address],
        [labels.time, readableTime(change.at)],
      ],
      closing: texts.closing,
    },
    signature,
  )
}

function readableTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

export function accountLockedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  const texts = signature.texts.emails.accountLocked
  return renderEmail(
    {
      to: email,
      subject: texts.subject,
      opening: texts.opening(name),
      closing: texts.closing,
    },
    signature,
  )
}

export function codesBlockedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  const texts = signature.texts.emails.codesBlocked
  return renderEmail(
    {
      to: email,
      subject: texts.subject,
      opening: texts.opening(name),
      closing: texts.closing,
    },
    signature,
  )
}
