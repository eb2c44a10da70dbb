import { type Google, pause } from './google-script.ts'
import { ACTION, newPlaceholder } from './token.ts'

const RETRIES = 2
/** Milliseconds between two attempts. */
const RETRY_DELAY = 1000

/** A v3 token, without anything for the visitor to do. A new one each time, because it expires after two minutes. */
export async function scoreToken(google: Google, siteKey: string): Promise<string> {
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
