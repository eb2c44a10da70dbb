/** What admins can change, by key. A setting without a row has its default. */
export interface SettingValues {
  /** Where enquiries are announced and messages forwarded. */
  readonly form_email: string
  readonly site_name: string
  readonly contact_phone: string
  readonly recaptcha_enabled: 'true' | 'false'
  /** Empty: the built-in one. */
  readonly recaptcha_site_key: string
  /** Empty: none yet. */
  readonly recaptcha_secret_key: string
  /** `auto` tells the version by the length of the site key. */
  readonly recaptcha_version: 'auto' | 'v2' | 'v3'
  /** Empty: letters go by SMTP or to the local mailbox. */
  readonly mailchimp_transactional_api_key: string
  /** Months, as digits: enquiries that nobody has read are erased after these. */
  readonly retention_enquiries_months: string
  /** Days, as digits: lines of the log are deleted after these. */
  readonly retention_logs_days: string
}

export type SettingKey = keyof SettingValues

/** Encrypted in the database, masked on the screen, never in a public reply or a log. */
const secretKeys: readonly string[] = [
  'recaptcha_secret_key',
  'mailchimp_transactional_api_key',
] satisfies SettingKey[]

export function isSecret(key: string): boolean {
  return secretKeys.includes(key)
}

type OfThisAgency = Pick<SettingValues, 'form_email' | 'site_name' | 'contact_phone'>

/** What a new installation has: the agency's own particulars, no bot check and no secrets. */
export function defaultSettings(agency: OfThisAgency): SettingValues {
  return {
    ...agency,
    recaptcha_enabled: 'false',
    recaptcha_site_key: '',
    recaptcha_secret_key: '',
    recaptcha_version: 'auto',
    mailchimp_transactional_api_key: '',
    // As long as the Code of Conduct wants client files kept: an enquiry may have become one.
    retention_enquiries_months: '84',
    retention_logs_days: '365',
  }
}
