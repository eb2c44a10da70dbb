/** The part of Google's API that forms use. */
export interface Google {
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
export async function loadGoogle(render: string): Promise<Google | null> {
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

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
