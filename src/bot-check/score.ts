import { type Google, pause } from './google-script.ts'
import { ACTION, newPlaceholder } from './token.ts'

const RETRIES = 2
/** Milliseconds between two tries. */
const RETRY_AFTER = 1000

/** A token of v3, of which nobody sees anything; a new one each time, because it lives for two minutes only. */
export async function scoreToken(google: Google, siteKey: string): Promise<string> {
  let reason: 'error' | 'failed_after_retries' = 'failed_after_retries'
  for (let tries = 0; tries <= RETRIES; tries++) {
    if (tries > 0) await pause(RETRY_AFTER)
    const asked = ask(google, siteKey)
    reason = asked ? 'failed_after_retries' : 'error'
    const token = await asked?.catch(() => '')
    if (token) return token
  }
  return newPlaceholder(reason)
}

/** @returns null when it throws instead of giving a promise, as it does for a key that is wrong. */
function ask(google: Google, siteKey: string): Promise<string> | null {
  try {
    return Promise.resolve(google.execute(siteKey, { action: ACTION }))
  } catch {
    return null
  }
}
