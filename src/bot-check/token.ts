/** Constants of tokens, shared by forms and server. Without Zod, so that a public page can load them. */

/** The action of a v3 token; a token for another action is rejected. */
export const ACTION = 'submit'

/** The exact token of a form without JavaScript. */
export const NO_SCRIPT_TOKEN = 'recaptcha_unavailable_nojs'

/** The placeholder that a form sends when it could not get a token, by reason; a time stamp follows. No real token starts like this. */
export const placeholders = {
  script_failed: 'recaptcha_script_failed_',
  unavailable: 'recaptcha_unavailable_',
  failed_after_retries: 'recaptcha_failed_after_retries_',
  error: 'recaptcha_error_',
  exception: 'recaptcha_exception_',
  disabled: 'recaptcha_disabled',
}

type Reason = Exclude<keyof typeof placeholders, 'disabled'>

/** A placeholder with the current time. */
export function newPlaceholder(reason: Reason): string {
  return placeholders[reason] + Date.now()
}

/** Characters. A site key of at least this length counts as a v3 key, unless the settings say otherwise. */
const MIN_V3_KEY = 39

/** The version of a site key: the setting's, or detected from the key's length. */
export function versionOf(siteKey: string, setting: 'auto' | 'v2' | 'v3' = 'auto'): 'v2' | 'v3' {
  if (setting !== 'auto') return setting
  return siteKey.length >= MIN_V3_KEY ? 'v3' : 'v2'
}
