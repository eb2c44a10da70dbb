import * as z from 'zod/mini'
import { Email, singleLine } from '../../http/common-schemas.ts'
import type { SettingKey, SettingValues } from './contract.ts'

/** What each setting may be, for the server and, before it is asked, for the screen. */

export const SITE_KEY_REQUIRED = 'Site key is required'
export const SECRET_KEY_REQUIRED = 'Secret key is required'
export const WHOLE_SECRET = 'Enter the whole key, or leave it as it is'

/** Characters; the providers' own keys are at most 40. */
const MAX_KEY = 200

/** A provider's key, or nothing. No blank, no control character and no asterisk, which a mask is told by. */
function key(label: string) {
  return z.string().check(
    z.trim(),
    z.maxLength(MAX_KEY, `${label} must be at most ${MAX_KEY} characters`),
    // From the exclamation mark to the tilde: all that is visible in ASCII.
    z.regex(/^[!-)+-~]*$/, `${label} can only have letters, digits and signs, without spaces`),
  )
}

function wholeNumber(least: number, most: number, unit: string) {
  const message = `Enter a whole number of ${unit}, from ${least} to ${most}`
  return z.string().check(
    z.trim(),
    z.refine(text => /^[1-9]\d{0,4}$/.test(text) && Number(text) >= least && Number(text) <= most, message),
  )
}

interface Rule<Key extends SettingKey> {
  safeParse(value: string): z.core.util.SafeParseResult<SettingValues[Key]>
}

const rules: { readonly [Key in SettingKey]: Rule<Key> } = {
  form_email: Email,
  site_name: singleLine(3, 'Site name must be at least 3 characters', 100, 'Site name'),
  contact_phone: singleLine(5, 'Contact phone must be at least 5 characters', 32, 'Contact phone'),
  recaptcha_enabled: z.enum(['true', 'false'], "This is either 'true' or 'false'"),
  recaptcha_version: z.enum(['auto', 'v2', 'v3'], "This is 'auto', 'v2' or 'v3'"),
  recaptcha_site_key: key('Site key'),
  recaptcha_secret_key: key('Secret key'),
  mailchimp_transactional_api_key: key('API key'),
  retention_enquiries_months: wholeNumber(1, 600, 'months'),
  // Those of the last 30 days stay in any case: nobody deletes what is being looked into.
  retention_logs_days: wholeNumber(30, 3650, 'days'),
}

/** A value as a setting is kept, or what is wrong with it. */
export type Checked<Key extends SettingKey> =
  | { readonly value: SettingValues[Key] }
  | { readonly error: string }

export function checkValue<Key extends SettingKey>(key: Key, value: string): Checked<Key> {
  const checked = rules[key].safeParse(value)
  if (checked.success) return { value: checked.data }
  return { error: checked.error.issues[0]?.message ?? 'Please correct this' }
}

/** What the bot check lacks; it can do without its keys only while it is off. */
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
