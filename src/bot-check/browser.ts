import type { RecaptchaSettings } from './contract.ts'
import { ACTION, newPlaceholder, placeholders, versionOf } from './token.ts'

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

/** Milliseconds after which the form uses the settings in the page. */
const SETTINGS_TIMEOUT = 3000

/** The server's bot-check settings, or the most likely ones when it does not answer. @param builtIn the page's own key */
async function readFormSettings(builtIn: string): Promise<RecaptchaSettings> {
  try {
    const response = await fetch('/api/public/recaptcha', { signal: AbortSignal.timeout(SETTINGS_TIMEOUT) })
    // An error reply has no `recaptcha`; the resulting TypeError is caught below.
    const { recaptcha }: { recaptcha: RecaptchaSettings } = await response.json()
    const { siteKey, enabled, version } = recaptcha
    return { siteKey, enabled, version }
  } catch {
    return { siteKey: builtIn, enabled: true, version: versionOf(builtIn) }
  }
}

const RETRIES = 2
/** Milliseconds between two attempts. */
const RETRY_DELAY = 1000

/** A v3 token, without anything for the visitor to do. A new one each time, because it expires after two minutes. */
async function scoreToken(google: Google, siteKey: string): Promise<string> {
  let reason: 'error' | 'failed_after_retries' = 'failed_after_retries'
  for (let tries = 0; tries <= RETRIES; tries++) {
    if (tries > 0) await pause(RETRY_DELAY)
    const pending = ask(google, siteKey)
    reason = pending ? 'failed_after_retries' : 'error'
    const token = await pending?.catch(() => '')
    if (token) return token
  }
  return newPlaceholder(reason)
}

/** @returns null when `execute` throws instead of returning a promise, as it does for an invalid key. */
function ask(google: Google, siteKey: string): Promise<string> | null {
  try {
    return Promise.resolve(google.execute(siteKey, { action: ACTION }))
  } catch {
    return null
  }
}

/** Shows the v2 checkbox in `host`. */
function showCheckbox(google: Google, siteKey: string, host: HTMLElement, onTicked: () => void) {
  let token = ''

  function reset() {
    token = ''
    google.reset(widget)
  }

  const widget = google.render(host, {
    sitekey: siteKey,
    size: 'normal',
    callback(newToken) {
      token = newToken
      onTicked()
    },
    'expired-callback': reset,
    // The widget cannot reach Google, so the visitor cannot tick it.
    'error-callback'() {
      token = newPlaceholder('error')
    },
  })
  return { token: async () => token, needsTick: () => !token, reset }
}

/** The part of Google's API that forms use. */
interface Google {
  ready(then: () => void): void
  execute(siteKey: string, options: { action: string }): PromiseLike<string>
  render(host: HTMLElement, options: WidgetOptions): number
  reset(widget: number): void
}

interface WidgetOptions {
  readonly sitekey: string
  readonly size: 'normal'
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  readonly 'error-callback': () => void
}

declare global {
  interface Window {
    grecaptcha?: Google
  }
}

const SCRIPT_URL = 'https://www.google.com/recaptcha/api.js'
/** Milliseconds to wait after the script has loaded. */
const LOAD_DELAY = 100

/**
 * Loads Google's script, unless it is already loaded. @param render a site key for v3, `explicit` for a checkbox
 * @returns null when the script has loaded but defines no `grecaptcha` @throws when it cannot be loaded
 */
async function loadGoogle(render: string): Promise<Google | null> {
  if (!window.grecaptcha) await addScript(`${SCRIPT_URL}?render=${encodeURIComponent(render)}`)
  await pause(LOAD_DELAY)
  const { grecaptcha } = window
  // The script fetches the rest from a second host, which may not answer either.
  if (grecaptcha) await new Promise<void>(resolve => grecaptcha.ready(resolve))
  return grecaptcha ?? null
}

function addScript(url: string): Promise<void> {
  const script = document.createElement('script')
  script.src = url
  document.head.append(script)
  return new Promise((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The script of the bot check could not be loaded'))
    }
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
