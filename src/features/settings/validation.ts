import * as z from 'zod/mini'
import { Email, singleLine } from '../../http/common-schemas.ts'
import { areOptionalSteps, optionalSteps } from '../dashboard/contract.ts'

/** The rule of each setting, for the server and for the screen, which checks before it sends. */

export const SITE_KEY_REQUIRED = 'Site key is required'
export const SECRET_KEY_REQUIRED = 'Secret key is required'
export const WHOLE_SECRET = 'Enter the whole key, or leave it as it is'

/** Characters; the providers' keys have at most 40. */
const MAX_KEY = 200

/** A provider's key, or empty. No spaces, no control characters, and no asterisk, which identifies a mask. */
function key(label: string) {
  return z.string().check(
    z.trim(),
    z.maxLength(MAX_KEY, `${label} must be at most ${MAX_KEY} characters`),
    // From the exclamation mark to the tilde: all visible ASCII characters, except the asterisk.
    z.regex(/^[!-)+-~]*$/, `${label} can only have visible ASCII characters, without spaces or asterisks`),
  )
}

function wholeNumber(min: number, max: number, unit: string) {
  const message = `Enter a whole number of ${unit}, from ${min} to ${max}`
  return z.string().check(
    z.trim(),
    z.refine(text => /^[1-9]\d{0,4}$/.test(text) && Number(text) >= min && Number(text) <= max, message),
  )
}

/** Characters. */
export const settingLengths = { site_name: 100, contact_phone: 32 }

const onOff = z.enum(['true', 'false'], "The value must be 'true' or 'false'")

/** What admins can change, by key. A setting without a row has its default. */
const rules = {
  /** Where enquiries are announced and messages forwarded. */
  form_email: Email,
  site_name: singleLine(3, 'Site name must be at least 3 characters', settingLengths.site_name, 'Site name'),
  contact_phone: singleLine(
    5,
    'Contact phone must be at least 5 characters',
    settingLengths.contact_phone,
    'Contact phone',
  ),
  /** Whether visitors get an email at once that says that their enquiry was received. */
  acknowledgement_enabled: onOff,
  recaptcha_enabled: onOff,
  /** `auto` detects the version from the length of the site key. */
  recaptcha_version: z.enum(['auto', 'v2', 'v3'], "The value must be 'auto', 'v2' or 'v3'"),
  /** Empty for the built-in one. */
  recaptcha_site_key: key('Site key'),
  /** Empty until one is set. */
  recaptcha_secret_key: key('Secret key'),
  /** Empty to send email by SMTP or to the local mailbox. */
  mailchimp_transactional_api_key: key('API key'),
  /** Whether an enquiry that is assigned to nobody is assigned to the person who replies to it. */
  assign_on_reply: onOff,
  /** Whether what goes live on the public pages needs the approval of somebody who has not written it. */
  content_needs_review: onOff,
  /** Months, as digits, after which unread enquiries are erased. */
  retention_enquiries_months: wholeNumber(1, 600, 'months'),
  /** Days, as digits, after which log entries are deleted: at least 30, so that those that are being investigated stay. */
  retention_logs_days: wholeNumber(30, 3650, 'days'),
  /** Gigabytes, as digits, that the files of all conversations may take. */
  file_space_gigabytes: wholeNumber(1, 10_000, 'gigabytes'),
  /** The first steps of the dashboard that this agency does not need, with commas between them. */
  first_steps_not_needed: z
    .string()
    .check(z.refine(areOptionalSteps, `List some of ${optionalSteps.join(', ')}, with commas between them`)),
}

export type SettingValues = { readonly [Key in SettingKey]: z.output<(typeof rules)[Key]> }
export type SettingKey = keyof typeof rules

type Rules = {
  readonly [Key in SettingKey]: {
    safeParse(value: string): z.core.util.SafeParseResult<SettingValues[Key]>
  }
}

/** @returns the value as it will be stored, or the error */
export function checkValue<Key extends SettingKey>(key: Key, value: string) {
  const byKey: Rules = rules
  const checked = byKey[key].safeParse(value)
  if (checked.success) return { value: checked.data }
  return { error: checked.error.issues[0]?.message ?? 'Please correct this' }
}

/** The missing keys of the bot check, which needs them while it is on. @returns error messages by setting */
export function findMissingKeys(
  values: {
    readonly [Key in 'recaptcha_enabled' | 'recaptcha_site_key' | 'recaptcha_secret_key']: string
  },
): Partial<Record<SettingKey, string>> {
  if (values.recaptcha_enabled !== 'true') return {}
  return {
    ...(values.recaptcha_site_key.trim() === '' && { recaptcha_site_key: SITE_KEY_REQUIRED }),
    ...(values.recaptcha_secret_key.trim() === '' && { recaptcha_secret_key: SECRET_KEY_REQUIRED }),
  }
}
