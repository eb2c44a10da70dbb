import type { SettingValues } from '../../src/features/settings/contract.ts'
import { readSaved } from '../../src/features/settings/mail/mail-health.server.ts'
import type { Settings } from '../../src/features/settings/store.server.ts'

/** Every setting, secrets decrypted: the product itself never reads all of them. */
export async function readAllSettings(settings: Settings): Promise<SettingValues> {
  return {
    ...(await settings.publicValues()),
    recaptcha_secret_key: await settings.secret('recaptcha_secret_key'),
    // Whether or not it waits for its test.
    mailchimp_transactional_api_key: (await readSaved(settings)).key,
  }
}
