/** What forms and server agree on about tokens. Without Zod, so that a public page can take it to the browser. */

export const TOKEN_MESSAGE = 'Please complete the reCAPTCHA verification'

/** What a form names as its purpose when it asks for a v3 token; a token made for another purpose is refused. */
export const ACTION = 'submit'

/** What a form without JavaScript carries, word for word. */
export const NO_SCRIPT_TOKEN = 'recaptcha_unavailable_nojs'

/** What a form sends in place of a token it could not get, by the reason; a time stamp follows. No real token begins so. */
export const placeholders = {
  script_failed: 'recaptcha_script_failed_',
  unavailable: 'recaptcha_unavailable_',
  failed_after_retries: 'recaptcha_failed_after_retries_',
  error: 'recaptcha_error_',
  exception: 'recaptcha_exception_',
  disabled: 'recaptcha_disabled',
}

type Reason = Exclude<keyof typeof placeholders, 'disabled'>

/** What goes in place of a token now. */
export function newPlaceholder(reason: Reason): string {
  return placeholders[reason] + Date.now()
}

/** Characters. From this length on a site key is taken for one of v3, unless the settings say otherwise. */
const MIN_V3_KEY = 39

/** The version that a setting means for a site key. */
export function versionOf(siteKey: string, setting: 'auto' | 'v2' | 'v3' = 'auto'): 'v2' | 'v3' {
  if (setting !== 'auto') return setting
  return siteKey.length >= MIN_V3_KEY ? 'v3' : 'v2'
}
