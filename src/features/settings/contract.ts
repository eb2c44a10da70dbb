import * as z from 'zod/mini'
import { Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { SmtpChange, SmtpView } from './mail/smtp.ts'
import type { SettingKey, SettingValues } from './validation.ts'

export type { SettingKey, SettingValues }

/** In the order of the list. */
export const settingKeys = [
  'site_name',
  'contact_phone',
  'form_email',
  'acknowledgement_enabled',
  'assign_on_reply',
  'recaptcha_enabled',
  'recaptcha_version',
  'recaptcha_site_key',
  'recaptcha_secret_key',
  'mailchimp_transactional_api_key',
  'content_needs_review',
  'retention_enquiries_months',
  'retention_logs_days',
  'file_space_gigabytes',
  'first_steps_not_needed',
] as const satisfies readonly SettingKey[]

/** They are part of the site, which visitors see: the settings show and change them there, and store nothing. */
export const detailKeys = ['site_name', 'contact_phone'] as const satisfies readonly SettingKey[]

export type DetailKey = (typeof detailKeys)[number]

export function isDetail(key: string): key is DetailKey {
  return detailKeys.some(detail => detail === key)
}

/** Encrypted in the database, masked on the screen, never in a public reply or a log. */
export const secretKeys = [
  'recaptcha_secret_key',
  'mailchimp_transactional_api_key',
] as const satisfies readonly SettingKey[]

export type SecretKey = (typeof secretKeys)[number]

/**
 * What is no setting of the list: the mail server with its password, as JSON; a provider that waits for the digits of its test
 * email; a hash of how the last test email was sent; the set-up link; the mailbox that is fetched;
 * and a sign-in at Microsoft that waits for a person.
 */
const unlistedKeys = [
  'smtp',
  'mail_waiting',
  'mail_tested',
  'set_up_link',
  'mail_in',
  'mail_in_code',
] as const

export const encryptedKeys = [...secretKeys, ...unlistedKeys] as const

export type EncryptedKey = (typeof encryptedKeys)[number]

export function isEncrypted(key: string): key is EncryptedKey {
  return encryptedKeys.some(encrypted => encrypted === key)
}

/** What the store can write. */
export type StoredValues = Omit<SettingValues, DetailKey> &
  Readonly<Record<(typeof unlistedKeys)[number], string>>

/** The settings that are no secrets. Pages, emails and forms get only these. */
export type PublicValues = Omit<SettingValues, SecretKey>

export function isSecret(key: string): key is SecretKey {
  return secretKeys.some(secret => secret === key)
}

/** How long data is kept that nobody deletes. */
export const retentionKeys = ['retention_enquiries_months', 'retention_logs_days'] as const

/** Email, the bot check, who may publish alone, and when data is deleted: every admin is notified of a change. */
const announcedKeys: readonly string[] = [
  'form_email',
  'recaptcha_enabled',
  'recaptcha_site_key',
  'recaptcha_secret_key',
  'mailchimp_transactional_api_key',
  'content_needs_review',
  ...retentionKeys,
] satisfies SettingKey[]

export function isAnnounced(key: string): boolean {
  return announcedKeys.includes(key)
}

type AgencyDetails = Pick<SettingValues, 'form_email' | 'site_name' | 'contact_phone'>

/** The settings of a new installation: the agency's own details, and no bot check. No secret is set. */
export function defaultSettings(agency: AgencyDetails): PublicValues {
  return {
    ...agency,
    recaptcha_enabled: 'false',
    recaptcha_site_key: '',
    recaptcha_version: 'auto',
    acknowledgement_enabled: 'false',
    assign_on_reply: 'true',
    content_needs_review: 'false',
    // As long as the Code of Conduct requires client files to be kept: an enquiry may have become one.
    retention_enquiries_months: '84',
    retention_logs_days: '365',
    file_space_gigabytes: '20',
    first_steps_not_needed: '',
  }
}

/** The space for files. Gigabytes as those who sell disks count them. */
export const toBytes = ({ file_space_gigabytes }: Pick<SettingValues, 'file_space_gigabytes'>) =>
  Number(file_space_gigabytes) * 1000 ** 3

const Setting = z.object({ key: z.enum(settingKeys), value: z.string() })
export type Setting = z.output<typeof Setting>

const SettingChange = z.strictObject({
  key: z.string(),
  // Validated against the rule of its key, once the key is known to exist.
  value: z.string('The value must be a string'),
})

/** How a test email was sent: `mailbox` means that it stayed on the server. With `digits`, these have to be typed. */
const TestEmailResult = z.object({
  to: z.string(),
  transport: z.enum(['mailchimp', 'smtp', 'graph', 'mailbox']),
  digits: z.boolean(),
})
export type TestEmailResult = z.output<typeof TestEmailResult>

/** A provider that is saved, and not used before the digits of its test email have come back. */
const WaitingView = z.object({
  kind: z.enum(['settings', 'mailchimp']),
  /** Its server; `Mailchimp Transactional` for that. */
  name: z.string(),
  /** The last test email; null before the first. */
  test: z.nullable(
    z.object({
      to: z.string(),
      at: z.string(),
      /** Whether the digits of it can be typed: it went out, and neither time nor tries have run out. */
      isOpen: z.boolean(),
      /** Why it failed, in the provider's own words; null when it went out. */
      reason: z.nullable(z.string()),
      /** As `code` of the failed call. */
      code: z.nullable(z.string()),
    }),
  ),
})
export type WaitingView = z.output<typeof WaitingView>

export const mailStates = ['working', 'unproven', 'failing'] as const

/** How emails are sent now, from which address, and the mail server of the settings, which may not be the one in use. */
const MailState = z.object({
  source: z.enum(['mailchimp', 'environment', 'settings', 'mailbox']),
  sender: z.string(),
  /** The mail server in use, where it is that of the settings. */
  host: z.nullable(z.string()),
  /** Whether a test email was sent in this way. */
  isTested: z.boolean(),
  /** Whether emails come through: see `GET /api/mail-status`. */
  state: z.enum(mailStates),
  since: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  waiting: z.nullable(WaitingView),
  smtp: z.nullable(SmtpView),
  /** The mailbox of Microsoft 365 that is fetched, with whose sign-in emails can be sent; null without one. */
  microsoftMailbox: z.nullable(z.string()),
})
export type MailState = z.output<typeof MailState>

/** `unproven`: a provider was put in use without its test, and no email has come through it yet. */
const MailStatus = z.object({
  state: z.enum(mailStates),
  /** Since when emails fail. */
  since: z.nullable(z.string()),
  /** Why, in the words of the provider; null without `settings`. */
  reason: z.nullable(z.string()),
  /** Whether a provider waits for the digits of its test email; null without `settings`. */
  isWaiting: z.nullable(z.boolean()),
  /** Who can put it right. */
  admins: z.array(z.string()),
  /** Since when no mail was fetched, where that is an alert. */
  noMailSince: z.nullable(z.string()),
})
export type MailStatus = z.output<typeof MailStatus>

const DIGITS_MESSAGE = 'Enter the six digits of the newest test email'
export const TestDigits = z.strictObject({
  code: z.string(DIGITS_MESSAGE).check(z.regex(/^[0-9]{6}$/, DIGITS_MESSAGE)),
})

/** The way of emails depends on several settings, and the dashboard's notice about a missing mail provider on that. */
const wayOfEmails = ['/api/dashboard', '/api/settings/smtp', '/api/mail-status']
const allSettings = ['/api/dashboard', '/api/settings', '/api/mail-status']

export const settings = {
  /** The browser compares it with the address in its bar, which is what no server knows. */
  address: endpoint({
    method: 'GET',
    path: '/api/settings/address',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Say at which address the site expects its visitors',
    input: Empty,
    // The origin of links, and whether the request came through a proxy that the configuration does not count.
    reply: z.object({ publicUrl: z.string(), isProxyIgnored: z.boolean() }),
  }),
  /** Secrets are masked. */
  list: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: 'settings',
    summary: 'List the settings, secrets masked',
    input: Empty,
    // Bytes that files take of the space for them.
    reply: z.object({ settings: z.array(Setting), fileSpaceUsed: z.number() }),
  }),
  /**
   * Sending back the mask of a secret leaves the secret unchanged. The name and the phone of the agency are published with the
   * site; while that needs a second person, `review` says that it was asked for, and `setting` what visitors still see.
   */
  change: endpoint({
    method: 'PUT',
    path: '/api/settings/:key',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Change a setting',
    errorStatuses: [404, 409, 429],
    input: SettingChange,
    reply: z.object({ setting: Setting, review: z.optional(z.literal('requested')) }),
    stale: [...wayOfEmails, '/api/content'],
  }),
  /** How emails are sent. Nothing of the password is returned. */
  mail: endpoint({
    method: 'GET',
    path: '/api/settings/smtp',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Read how emails are sent',
    input: z.strictObject({}),
    reply: MailState,
  }),
  /**
   * A mail server is used once the digits of its test email have come back. Without a password the stored one stays, if it
   * goes to the same account on the same server.
   */
  changeMail: endpoint({
    method: 'PUT',
    path: '/api/settings/smtp',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Change the mail server',
    errorStatuses: [429],
    input: SmtpChange,
    reply: MailState,
    stale: wayOfEmails,
  }),
  /** Puts the waiting provider in use: its test email has arrived. */
  confirmMail: endpoint({
    method: 'POST',
    path: '/api/settings/smtp/confirmation',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Use the waiting mail provider, with the digits of its test email',
    errorStatuses: [409, 429],
    input: TestDigits,
    reply: MailState,
    stale: allSettings,
  }),
  /** Puts the waiting provider in use although nobody knows whether its emails arrive. */
  useMail: endpoint({
    method: 'POST',
    path: '/api/settings/smtp/activation',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Use the waiting mail provider all the same',
    errorStatuses: [409, 429],
    input: z.strictObject({}),
    reply: MailState,
    stale: allSettings,
  }),
  discardMail: endpoint({
    method: 'DELETE',
    path: '/api/settings/smtp/waiting',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Discard the waiting mail provider',
    errorStatuses: [429],
    input: z.strictObject({}),
    reply: MailState,
    stale: allSettings,
  }),
  /** For everybody, since everybody signs in with a code. */
  mailStatus: endpoint({
    method: 'GET',
    path: '/api/mail-status',
    access: 'signed-in',
    tokenAuth: 'denied',
    isUnattended: true,
    summary: 'Read whether emails come through',
    input: z.strictObject({}),
    reply: MailStatus,
  }),
  /** Sends one email to the caller; on failure the message is the provider's own. */
  testEmail: endpoint({
    method: 'POST',
    path: '/api/settings/test-email',
    access: 'settings',
    tokenAuth: 'denied',
    summary: 'Send a test email to the caller, through the waiting mail provider if there is one',
    errorStatuses: [429, 503],
    input: z.strictObject({}),
    reply: TestEmailResult,
    stale: wayOfEmails,
  }),
}

/** Always the same number, so that the mask does not show the length of the secret. */
const MASK = '*'.repeat(8)
/** Characters. Of a shorter secret nothing is shown: its last four would be too much of it. */
const MIN_SHOWN = 12

/** A secret as people see it: the mask and the last four characters, by which they recognise it. */
export function maskSecret(secret: string): string {
  if (secret === '') return ''
  return secret.length < MIN_SHOWN ? MASK : MASK + secret.slice(-4)
}

/** No real key has an asterisk, so a value with one is a mask, or was typed into one. */
export function looksMasked(value: string): boolean {
  return value.includes('*')
}
