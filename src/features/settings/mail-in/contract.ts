import * as z from 'zod/mini'
import { Email, MAX_EMAIL, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { MAX_HOST, MAX_PASSWORD } from '../mail/smtp.ts'

export const mailInProviders = ['imap', 'google', 'microsoft'] as const

/** Those that are connected with a password. */
export const offeredProviders = ['google', 'imap'] as const

const shown = {
  provider: z.enum(mailInProviders),
  host: z.string(),
  port: z.number(),
  security: z.enum(['tls', 'starttls']),
  user: z.string(),
  folder: z.string(),
  /** The email address of the mailbox, to which visitors and staff answer. */
  address: z.string(),
  /** Of Microsoft 365 only: with which app somebody has signed in, who, and when. */
  microsoft: z.optional(
    z.object({
      tenant: z.string(),
      client: z.string(),
      /** Whether the mailbox is another one than that of the person. */
      isShared: z.boolean(),
      signedInAs: z.string(),
      signedInAt: z.string(),
    }),
  ),
}

/** The mailbox that is fetched, as the encrypted setting `mail_in` holds it in JSON. The password of Microsoft is a refresh token. */
export const StoredConnection = z.object({ ...shown, password: z.string() })
export type StoredConnection = z.output<typeof StoredConnection>

export interface MailConnection extends StoredConnection {
  /** Whether mail to `name+anything@` reaches it: a test of the set-up says so. */
  readonly plusAddresses: boolean
}

/** Where mailboxes are read. Landfall connects to no other port, or the settings could be used to scan ports. */
export const imapPorts = { tls: 993, starttls: 143 } as const

const HOST_MESSAGE = 'Enter the name of the mail server alone, such as imap.example.com'
const ADDRESS_MESSAGE = 'Enter the email address of the mailbox'
const FOLDER_MESSAGE = 'Enter the name of the folder, such as INBOX'
const MAX_FOLDER = 100

const isEmail = (text: string) => Email.safeParse(text).success

/** For Google, `user` is the address, and nothing else is asked for. Without a password the stored one stays. */
export const MailInChange = z.strictObject({
  provider: z.enum(offeredProviders),
  host: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.toLowerCase(),
        z.maxLength(MAX_HOST, HOST_MESSAGE),
        z.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, HOST_MESSAGE),
      ),
  ),
  security: z.optional(z.enum(['tls', 'starttls'])),
  user: singleLine(1, 'Enter the user name', MAX_EMAIL, 'User name'),
  password: z.optional(
    z.string().check(
      z.maxLength(MAX_PASSWORD, `Password must be at most ${MAX_PASSWORD} characters`),
      z.refine(text => !/\p{Cc}/u.test(text), 'Password must be on one line'),
    ),
  ),
  folder: z.optional(singleLine(1, FOLDER_MESSAGE, MAX_FOLDER, 'Folder')),
  address: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(MAX_EMAIL, ADDRESS_MESSAGE),
      z.refine(text => text === '' || isEmail(text), ADDRESS_MESSAGE),
    ),
  ),
})
export type MailInChange = z.output<typeof MailInChange>
export type MailInErrors = Partial<Record<keyof MailInChange, string>>

export type Destination = Omit<StoredConnection, 'password'>

/** Where the mail will come from. */
export function mailboxOf(change: MailInChange): Destination {
  const { provider, host = '', security = 'tls', user, folder = 'INBOX', address = '' } = change
  if (provider === 'google')
    return { provider, host: 'imap.gmail.com', port: 993, security: 'tls', user, folder, address: user }
  return { provider, host, port: imapPorts[security], security, user, folder, address: address || user }
}

/** The password as its provider knows it: Google shows its app passwords in groups of four characters. */
export function mailboxPassword({ provider, password = '' }: MailInChange): string {
  return provider === 'google' ? password.replace(/\s/g, '') : password
}

/** What is missing in a change whose fields are valid. @param saved the mailbox that is connected now, with its password stored */
export function findMailInErrors(
  change: MailInChange,
  saved: Pick<Destination, 'host' | 'user' | 'security'> | null,
): MailInErrors {
  const to = mailboxOf(change)
  const isKept = saved?.host === to.host && saved.user === to.user && saved.security === to.security
  const lacksPassword = mailboxPassword(change) === '' && !isKept
  return {
    ...(to.host === '' && { host: HOST_MESSAGE }),
    ...(change.provider === 'google' &&
      !isEmail(to.user) && { user: 'Enter the whole email address of the mailbox' }),
    ...(change.provider === 'imap' && !isEmail(to.address) && { address: ADDRESS_MESSAGE }),
    ...(lacksPassword && {
      password: saved
        ? 'Enter the password again, because the account or its server is another'
        : 'Enter the password',
    }),
  }
}

const TENANT_MESSAGE = 'Enter the Directory (tenant) ID, or a domain of your organisation'
const CLIENT_MESSAGE = 'Enter the Application (client) ID: 36 characters with four hyphens'

/** A sign-in at Microsoft that a person completes there. Without `mailbox`, the one of that person is fetched. */
export const MicrosoftChange = z.strictObject({
  tenant: z
    .string(TENANT_MESSAGE)
    .check(
      z.trim(),
      z.toLowerCase(),
      z.regex(
        /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9][a-z0-9.-]{0,252}\.[a-z]{2,63})$/,
        TENANT_MESSAGE,
      ),
    ),
  client: z
    .string(CLIENT_MESSAGE)
    .check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, CLIENT_MESSAGE)),
  mailbox: z.optional(
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.maxLength(MAX_EMAIL, ADDRESS_MESSAGE),
      z.refine(text => text === '' || isEmail(text), ADDRESS_MESSAGE),
    ),
  ),
})
export type MicrosoftChange = z.output<typeof MicrosoftChange>

/** Who has signed in at Microsoft, and whose mailbox that would connect. */
const SignedIn = z.strictObject({ signedInAs: z.string(), address: z.string() })

/** What a person has to do now. */
const PendingSignIn = z.object({
  /** To enter at `url`. */
  code: z.string(),
  url: z.string(),
  expiresAt: z.string(),
  /** Seconds after which it is to be asked again whether somebody has signed in. */
  interval: z.number(),
  /** Who has signed in, and whose mailbox that would connect; null before. */
  account: z.nullable(SignedIn),
})

/** The stops on the way of a test email, in their order. */
export const stops = ['sign-in', 'sent', 'arrived', 'signed', 'plus', 'fetched'] as const
export type StopName = (typeof stops)[number]

const Stop = z.object({
  name: z.enum(stops),
  /** `lost`: it does not work, and Landfall goes without it. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'lost']),
  /** Milliseconds since the test began. */
  time: z.nullable(z.number()),
  /** What happened, in the words of the server where there are any. */
  words: z.nullable(z.string()),
  /** Of a failure for which there is something to do. */
  problem: z.nullable(z.string()),
})
export type Stop = z.output<typeof Stop>

export const Trial = z.object({
  startedAt: z.string(),
  by: z.string(),
  isRunning: z.boolean(),
  stops: z.array(Stop),
})
export type Trial = z.output<typeof Trial>

export const importPeriods = ['3', '12', 'all'] as const

const MailInState = z.object({
  /** Where the mailbox is set. `environment`: on the server, so that the portal cannot change it. */
  source: z.enum(['none', 'settings', 'environment']),
  mailbox: z.nullable(z.object(shown)),
  /** Whether answers find their conversation by a plus address. Null before it was tried. */
  plusAddresses: z.nullable(z.boolean()),
  connectedAt: z.nullable(z.string()),
  lastFetchedAt: z.nullable(z.string()),
  /** Since when no mail was fetched, where that is longer ago than it should be. */
  noMailSince: z.nullable(z.string()),
  failingSince: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Mails that could not be stored, and are in the mailbox still. */
  passedOver: z.number(),
  import: z.nullable(
    z.object({
      state: z.enum(['running', 'stopped', 'done']),
      /** Null: all earlier mail. */
      from: z.nullable(z.string()),
      total: z.number(),
      done: z.number(),
    }),
  ),
  trial: z.nullable(Trial),
  /** A sign-in at Microsoft that waits for a person; null without one, and after its end. */
  signIn: z.nullable(PendingSignIn),
})
export type MailInState = z.output<typeof MailInState>

const shared = { access: 'settings', tokenAuth: 'denied', reply: MailInState } as const
const stale = ['/api/settings/mail-in', '/api/settings/smtp', '/api/mail-status']

export const mailInSettings = {
  /** Nothing of the password is returned. */
  read: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/settings/mail-in',
    isUnattended: true,
    summary: 'Read which mailbox is fetched, and whether that works',
    input: z.strictObject({}),
  }),
  /** Signs in first, and changes nothing if that fails. Mail is fetched from this moment on. */
  change: endpoint({
    ...shared,
    method: 'PUT',
    path: '/api/settings/mail-in',
    summary: 'Connect a mailbox',
    errorStatuses: [409, 429, 503],
    input: MailInChange,
    stale,
  }),
  /** What was fetched stays. */
  disconnect: endpoint({
    ...shared,
    method: 'DELETE',
    path: '/api/settings/mail-in',
    summary: 'Disconnect the mailbox',
    errorStatuses: [409, 429],
    input: z.strictObject({}),
    stale,
  }),
  /** Begins the test; how far it is stands in `trial`. */
  test: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/settings/mail-in/test',
    summary: 'Send an email to the mailbox and follow it on its way back',
    errorStatuses: [409, 429],
    input: z.strictObject({}),
    stale,
  }),
  /** Gets a code from Microsoft, with which a person signs in there. Nothing changes before that. */
  beginSignIn: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/settings/mail-in/microsoft',
    summary: 'Begin a sign-in at Microsoft 365',
    errorStatuses: [409, 429, 503],
    input: MicrosoftChange,
    stale,
  }),
  /** Once somebody has, `signIn` says who; until then, when to ask again. */
  checkSignIn: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/settings/mail-in/microsoft/check',
    summary: 'Ask Microsoft whether somebody has signed in with the code',
    errorStatuses: [409, 429, 503],
    input: z.strictObject({}),
    stale,
  }),
  /** A browser signs in as the account that it knows, so a person looks at the account before anything is read there. */
  confirmSignIn: endpoint({
    ...shared,
    method: 'PUT',
    path: '/api/settings/mail-in/microsoft',
    summary: 'Connect the mailbox of the account that has signed in',
    errorStatuses: [409, 429],
    input: SignedIn,
    stale,
  }),
  cancelSignIn: endpoint({
    ...shared,
    method: 'DELETE',
    path: '/api/settings/mail-in/microsoft',
    summary: 'Give up a sign-in at Microsoft 365',
    errorStatuses: [409],
    input: z.strictObject({}),
    stale,
  }),
  fetchNow: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/settings/mail-in/fetch',
    summary: 'Fetch mail now, without waiting for the next try',
    errorStatuses: [409, 429],
    input: z.strictObject({}),
    stale,
  }),
  /** Mail from before the mailbox was connected comes in closed and read. */
  import: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/settings/mail-in/import',
    summary: 'Import earlier mail, of some months or all of it',
    errorStatuses: [409, 429],
    input: z.strictObject({ months: z.enum(importPeriods) }),
    stale,
  }),
  stopImport: endpoint({
    ...shared,
    method: 'DELETE',
    path: '/api/settings/mail-in/import',
    summary: 'Stop the import of earlier mail',
    errorStatuses: [409],
    input: z.strictObject({}),
    stale,
  }),
}
