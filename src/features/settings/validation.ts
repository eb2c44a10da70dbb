import * as z from 'zod/mini'
import { Email, singleLine } from '../../http/common-schemas.ts'
import { areOptionalSteps, optionalSteps } from '../dashboard/contract.ts'
import type { SettingKey, SettingValues } from './contract.ts'

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

interface Rule<Key extends SettingKey> {
  safeParse(value: string): z.core.util.SafeParseResult<SettingValues[Key]>
}

const rules: { readonly [Key in SettingKey]: Rule<Key> } = {
  form_email: Email,
  site_name: singleLine(3, 'Site name must be at least 3 characters', settingLengths.site_name, 'Site name'),
  contact_phone: singleLine(
    5,
    'Contact phone must be at least 5 characters',
    settingLengths.contact_phone,
    'Contact phone',
  ),
  acknowledgement_enabled: z.enum(['true', 'false'], "The value must be 'true' or 'false'"),
  recaptcha_enabled: z.enum(['true', 'false'], "The value must be 'true' or 'false'"),
  recaptcha_version: z.enum(['auto', 'v2', 'v3'], "The value must be 'auto', 'v2' or 'v3'"),
  recaptcha_site_key: key('Site key'),
  recaptcha_secret_key: key('Secret key'),
  mailchimp_transactional_api_key: key('API key'),
  assign_on_reply: z.enum(['true', 'false'], "The value must be 'true' or 'false'"),
  content_needs_review: z.enum(['true', 'false'], "The value must be 'true' or 'false'"),
  retention_enquiries_months: wholeNumber(1, 600, 'months'),
  // At least 30 days, so that entries that are being investigated are not deleted.
  retention_logs_days: wholeNumber(30, 3650, 'days'),
  first_steps_not_needed: z
    .string()
    .check(z.refine(areOptionalSteps, `List some of ${optionalSteps.join(', ')}, with commas between them`)),
}

/** The value as it will be stored, or the error. */
export type Checked<Key extends SettingKey> =
  | { readonly value: SettingValues[Key] }
  | { readonly error: string }

export function checkValue<Key extends SettingKey>(key: Key, value: string): Checked<Key> {
  const checked = rules[key].safeParse(value)
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
