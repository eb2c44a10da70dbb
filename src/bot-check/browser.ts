import { showCheckbox } from './checkbox.ts'
import { readFormSettings } from './form-settings.ts'
import { loadGoogle, pause } from './google-script.ts'
import { scoreToken } from './score.ts'
import { newPlaceholder, placeholders } from './token.ts'

/** The bot check of one form. */
export interface FormCheck {
  /**
   * The token for one sending: empty while the checkbox is not ticked, a placeholder when there is none to be had, so
   * that the form can be sent all the same. Never throws, and never takes much longer than `PATIENCE`.
   */
  token(): Promise<string>
  /** Whether there is a checkbox that the visitor has yet to tick. */
  needsTick(): boolean
  /** Takes the tick away: a token counts once. */
  reset(): void
}

/** Milliseconds that someone who has pressed the button waits for Google at most: within five seconds all is done. */
const TOKEN_TIMEOUT = 4000

type Check = Pick<FormCheck, 'token'>

/**
 * Begins to load what a token needs, while the visitor is still writing. Without React and Zod, for it comes to every
 * public page. @param builtIn the page's own site key @param host where a checkbox goes
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
      // When the visitor tries again, the line may be better.
      prepared = undefined
      return newPlaceholder(hasGoogle ? 'exception' : 'script_failed')
    }
  }

  prepared = prepare()
  // Whoever asks for a token hears of it.
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
