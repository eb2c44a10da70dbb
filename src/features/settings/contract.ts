/** What admins can change, by key. A setting without a row has its default. */
export interface SettingValues {
  /** Where enquiries are announced and messages forwarded. */
  readonly form_email: string
  readonly site_name: string
  readonly contact_phone: string
}
