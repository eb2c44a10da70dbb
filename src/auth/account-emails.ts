import { type Email, type EmailSignature, renderEmail } from '../mail/email.ts'
import type { Services } from '../services.ts'

/** The recipient of an email about their account. */
export interface Owner {
  readonly email: string
  readonly name: string
}

const NOT_YOU = 'If this was not you, contact an admin of your agency immediately.'

/** The signature for emails, from the current settings. Call it before a transaction begins. */
export async function readSignature({ settings, emailSignature }: Services): Promise<EmailSignature> {
  return emailSignature((await settings.publicValues()).site_name)
}

export function verificationEmail({ email, name }: Owner, url: string, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: `Please confirm your email address for ${signature.siteName}`,
      opening: `Hello ${name}, this address was entered for your account in the staff portal. Please confirm that it is yours.`,
      link: { label: 'Confirm this address', url },
      closing: 'The link works for 24 hours. If you did not expect this email, you can ignore it.',
    },
    signature,
  )
}

export function passwordChangedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Your password was changed',
      opening: `Hello ${name}, the password of your account in the staff portal was changed. Other browsers were signed out, and devices that you trusted need a code again.`,
      closing: NOT_YOU,
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
  return renderEmail(
    {
      to: email,
      subject: 'Your email address was changed',
      opening: `Hello ${name}, the email address of your account in the staff portal was changed. Sign-in codes now go to the new address, and every browser has to sign in again.`,
      facts: [['New address', newEmail]],
      closing: NOT_YOU,
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
  return renderEmail(
    {
      to: email,
      subject: 'Sign-in to your account from a new browser',
      opening: `Hello ${name}, someone, most likely you, has signed in to your account from a browser that you have not used before.`,
      facts: [
        ['Browser', newDevice.device],
        ['Network address', newDevice.address],
        ['Time', readableTime(newDevice.at)],
      ],
      closing: `Edit Profile on the dashboard lists where you are signed in, and lets you sign out there. ${NOT_YOU}`,
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
  return renderEmail(
    {
      to: email,
      subject: change.what,
      opening: `Hello ${name}, every admin is notified of this change in the staff portal.`,
      facts: [
        ['What', change.what],
        ...change.facts,
        ['Who', `${change.by.name} <${change.by.email}>`],
        ['Network address', change.address],
        ['Time', readableTime(change.at)],
      ],
      closing:
        'If neither you nor another admin intended this, set a new password for that account immediately, and check the users, the API tokens and the settings.',
    },
    signature,
  )
}

function readableTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

export function accountLockedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Your account is temporarily locked',
      opening: `Hello ${name}, somebody entered five or more wrong passwords for your account in the staff portal. The account is locked: for ten minutes at first, longer each time. In other browsers where you have signed in before, your password still works.`,
      closing: `If it was you, wait and try again, or ask an admin for a new password. ${NOT_YOU}`,
    },
    signature,
  )
}

export function codesBlockedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Sign-in codes are blocked for your account',
      opening: `Hello ${name}, somebody who knows your password has entered too many wrong sign-in codes in a row. Your account does not accept any more codes.`,
      closing:
        'Ask an admin for a new password; then you can sign in again. If it was not you, somebody knows the old one.',
    },
    signature,
  )
}
