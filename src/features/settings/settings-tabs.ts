import type { SettingKey } from './validation.ts'

/** The tabs of the screen, by their id in the URL, with the settings that each of them saves. */
export const tabs = [
  {
    id: 'general',
    label: 'General Settings',
    keys: [
      'site_name',
      'contact_phone',
      'assign_on_reply',
      'content_needs_review',
      'retention_enquiries_months',
      'retention_logs_days',
      'file_space_gigabytes',
    ],
  },
  { id: 'email', label: 'Email Settings', keys: ['form_email', 'acknowledgement_enabled'] },
  {
    id: 'recaptcha',
    label: 'reCAPTCHA Settings',
    keys: ['recaptcha_enabled', 'recaptcha_version', 'recaptcha_site_key', 'recaptcha_secret_key'],
  },
  { id: 'email-integration', label: 'Email Integration', keys: ['mailchimp_transactional_api_key'] },
  { id: 'mail', label: 'Mail', keys: [] },
] as const satisfies readonly { id: string; label: string; keys: readonly SettingKey[] }[]

export type TabId = (typeof tabs)[number]['id']

export function findTab(id: string | null): (typeof tabs)[number] {
  return tabs.find(tab => tab.id === id) ?? tabs[0]
}
