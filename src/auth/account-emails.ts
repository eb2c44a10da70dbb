import { type Email, type EmailSignature, renderEmail } from '../mail/email.ts'
import type { Services } from '../services.ts'

/** Whom a letter about an account goes to. */
export interface Owner {
  readonly email: string
  readonly name: string
}

const NOT_YOU = 'If this was not you, tell an admin of your agency at once.'

/** Who signs letters as the settings have it now; read it before a transaction begins. */
export async function readSignature({ settings, emailSignature }: Services): Promise<EmailSignature> {
  return emailSignature((await settings.read()).site_name)
}

export function verificationEmail({ email, name }: Owner, url: string, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: `Please confirm your email address for ${signature.siteName}`,
      opening: `Hello ${name}, this address was entered for your account in the staff portal. Please confirm that it is yours.`,
      link: { label: 'Confirm this address', url },
      closing: 'The link works for 24 hours. If you do not know what this is about, you need do nothing.',
    },
    signature,
  )
}

export function passwordChangedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Your password was changed',
      opening: `Hello ${name}, the password of your account in the staff portal was changed. Other browsers were signed out, and those that you trusted need a code again.`,
      closing: NOT_YOU,
    },
    signature,
  )
}

/** Goes to the old address: whoever took the account over reads the new one. */
export function addressChangedEmail(
  { email, name }: Owner,
  newEmail: string,
  signature: EmailSignature,
): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Your email address was changed',
      opening: `Hello ${name}, your account in the staff portal has another email address now. Sign-in codes go there from now on, and every browser has to sign in again.`,
      facts: [['New address', newEmail]],
      closing: NOT_YOU,
    },
    signature,
  )
}

interface NewDevice {
  /** In words: `Chrome on Windows`. */
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
      subject: 'Your account was signed in to from a new browser',
      opening: `Hello ${name}, someone, most likely you, has signed in to your account from a browser that it was not used in before.`,
      facts: [
        ['Browser', newDevice.device],
        ['Network address', newDevice.address],
        ['Time', readableTime(newDevice.at)],
      ],
      closing: `Edit Profile on the dashboard lists where you are signed in, and ends it. ${NOT_YOU}`,
    },
    signature,
  )
}

interface PowerAct {
  readonly what: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly by: Owner
  /** The network address that the change came from. */
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

/** Goes to every admin: a change that nobody of them meant shows at once. */
export function powerChangedLetter({ email, name }: Owner, act: PowerAct, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: act.what,
      opening: `Hello ${name}, something was changed in the staff portal of which every admin is told.`,
      facts: [
        ['What', act.what],
        ...act.facts,
        ['Who', `${act.by.name} <${act.by.email}>`],
        ['Network address', act.address],
        ['Time', readableTime(act.at)],
      ],
      closing:
        'If neither you nor a colleague meant this, give that account a new password at once, and look at the users, the API tokens and the settings.',
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
      subject: 'Your account rests after wrong passwords',
      opening: `Hello ${name}, somebody gave five or more wrong passwords for your account in the staff portal. It lets nobody in that way for a while: ten minutes at first, longer each time. In other browsers where you have signed in before, your password still works.`,
      closing: `If it was you, wait and try again, or ask an admin for a new password. ${NOT_YOU}`,
    },
    signature,
  )
}

export function codesBlockedEmail({ email, name }: Owner, signature: EmailSignature): Email {
  return renderEmail(
    {
      to: email,
      subject: 'Your account takes no more sign-in codes',
      opening: `Hello ${name}, somebody who knows your password has given too many wrong sign-in codes in a row. Your account takes no more of them.`,
      closing:
        'Ask an admin for a new password; then you can sign in again. If it was not you, somebody knows the old one.',
    },
    signature,
  )
}
