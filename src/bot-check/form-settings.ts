import { versionOf } from './token.ts'

interface FormSettings {
  readonly siteKey: string
  readonly enabled: boolean
  readonly version: 'v2' | 'v3'
}

/** Milliseconds after which the form uses the settings in the page. */
const SETTINGS_TIMEOUT = 3000

/** The server's bot-check settings, or the most likely ones when it does not answer. @param builtIn the page's own key */
export async function readFormSettings(builtIn: string): Promise<FormSettings> {
  try {
    const response = await fetch('/api/public/recaptcha', { signal: AbortSignal.timeout(SETTINGS_TIMEOUT) })
    // An error reply has no `recaptcha`; the resulting TypeError is caught below.
    const { recaptcha }: { recaptcha: FormSettings } = await response.json()
    const { siteKey, enabled, version } = recaptcha
    return { siteKey, enabled, version }
  } catch {
    return { siteKey: builtIn, enabled: true, version: versionOf(builtIn) }
  }
}
