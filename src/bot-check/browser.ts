import { showCheckbox } from './checkbox.ts'
import { readFormSettings } from './form-settings.ts'
import { loadGoogle, pause } from './google-script.ts'
import { scoreToken } from './score.ts'
import { newPlaceholder, placeholders } from './token.ts'

/** The bot check of one form. */
export interface FormCheck {
  /**
   * The token for one submission: empty while the checkbox is not ticked, a placeholder when no token can be had, so
   * that the form can be sent anyway. Never throws, and never takes much longer than `TOKEN_TIMEOUT`.
   */
  token(): Promise<string>
  /** Whether there is a checkbox that the visitor has yet to tick. */
  needsTick(): boolean
  /** Clears the checkbox: a token works once. */
  reset(): void
}

/** Milliseconds to wait for Google after the button was pressed: the whole submission takes at most five seconds. */
const TOKEN_TIMEOUT = 4000

type Check = Pick<FormCheck, 'token'>

/**
 * Starts to load what a token needs while the visitor is still typing. Without React and Zod, because every public page
 * loads it. @param builtIn the page's own site key @param host the element for the checkbox
 */
export function startFormCheck(builtIn: string, host: HTMLElement, onTicked: () => void): FormCheck {
  let hasGoogle = false
  let checkbox: FormCheck | undefined
  let prepared: Promise<Check> | undefined

  async function prepare(): Promise<Check> {
    const { enabled, siteKey, version } = await readFormSettings(builtIn)
    if (!enabled) return { token: async () => placeholders.disabled }
    const google = siteKey ? await loadGoogle(version === 'v3' ? siteKey : 'explicit') : null
    if (!google) return { token: async () => newPlaceholder('unavailable') }
    hasGoogle = true
    if (version === 'v3') return { token: () => scoreToken(google, siteKey) }
    checkbox = showCheckbox(google, siteKey, host, onTicked)
    return checkbox
  }

  async function token(): Promise<string> {
    prepared ??= prepare()
    try {
      return await (await prepared).token()
    } catch {
      // The connection may be better at the next attempt.
      prepared = undefined
      return newPlaceholder(hasGoogle ? 'exception' : 'script_failed')
    }
  }

  prepared = prepare()
  // The error is handled in `token`.
  prepared.catch(() => {})
  return {
    token: () => Promise.race([token(), pause(TOKEN_TIMEOUT).then(giveUp)]),
    needsTick: () => checkbox?.needsTick() ?? false,
    reset: () => checkbox?.reset(),
  }

  function giveUp(): string {
    return newPlaceholder(hasGoogle ? 'failed_after_retries' : 'script_failed')
  }
}
