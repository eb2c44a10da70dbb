import { versionOf } from './token.ts'

interface FormSettings {
  readonly siteKey: string
  readonly enabled: boolean
  readonly version: 'v2' | 'v3'
}

/** Milliseconds after which the form goes by what the page says. */
const SETTINGS_TIMEOUT = 3000

/** What the server says of its bot check, or what is most likely when it says nothing. @param builtIn the page's own key */
export async function readFormSettings(builtIn: string): Promise<FormSettings> {
  try {
    const response = await fetch('/api/public/recaptcha', { signal: AbortSignal.timeout(SETTINGS_TIMEOUT) })
    // A refusal has no such member, and what comes of that is caught as well.
    const { recaptcha }: { recaptcha: FormSettings } = await response.json()
    const { siteKey, enabled, version } = recaptcha
    return { siteKey, enabled, version }
  } catch {
    return { siteKey: builtIn, enabled: true, version: versionOf(builtIn) }
  }
}
