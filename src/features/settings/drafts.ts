import { isSecret, type SettingKey } from './contract.ts'
import { looksMasked } from './mask.ts'
import { checkValue, findMissingKeys, WHOLE_SECRET } from './validation.ts'

/** Every setting as the server returned it, secrets masked. */
export type Saved = Readonly<Record<SettingKey, string>>
/** What has been typed and not saved. */
export type Drafts = Readonly<Partial<Record<SettingKey, string | undefined>>>
export type Errors = Drafts
export type Change = readonly [key: SettingKey, value: string]

/** The drafts that have to be sent. A secret that still shows its mask is not one of them. */
export function findChanges(keys: readonly SettingKey[], saved: Saved, drafts: Drafts): Change[] {
  return keys.flatMap(key => {
    const draft = drafts[key]
    return draft === undefined || draft === saved[key] ? [] : [[key, draft] as const]
  })
}

/** The errors that the server would return for these drafts. */
export function findErrors(keys: readonly SettingKey[], saved: Saved, drafts: Drafts): Errors {
  const invalid = findChanges(keys, saved, drafts).flatMap(([key, value]) => {
    const error = findError(key, value)
    return error ? [[key, error] as const] : []
  })
  const current = (key: SettingKey) => drafts[key] ?? saved[key]
  const missing = findMissingKeys({
    recaptcha_enabled: current('recaptcha_enabled'),
    recaptcha_site_key: current('recaptcha_site_key'),
    recaptcha_secret_key: current('recaptcha_secret_key'),
  })
  return { ...(keys.includes('recaptcha_enabled') && missing), ...Object.fromEntries(invalid) }
}

function findError(key: SettingKey, value: string): string | null {
  if (isSecret(key) && looksMasked(value)) return WHOLE_SECRET
  const checked = checkValue(key, value)
  return 'error' in checked ? checked.error : null
}

/**
 * Orders changes that are sent one after the other, so that the bot check is never on without its keys, even when the
 * connection breaks in between: it is switched off before they are emptied, and on after they are set.
 */
export function inSafeOrder(changes: readonly Change[]): Change[] {
  const rank = ([key, value]: Change) => {
    if (key !== 'recaptcha_enabled') return 1
    return value === 'true' ? 2 : 0
  }
  return changes.toSorted((one, other) => rank(one) - rank(other))
}
