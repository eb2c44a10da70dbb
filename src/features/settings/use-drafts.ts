import { useCallback, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { inputText, restoreInput, useInputBackup } from '../../ui/form/input-backup.ts'
import { isSecret, looksMasked, type SettingKey, settingKeys } from './contract.ts'
import { checkValue, findMissingKeys, WHOLE_SECRET } from './validation.ts'

const FORM = 'settings'
/** The settings whose drafts may be stored while the admin signs in again. */
const BACKUP_KEYS = settingKeys.filter(key => !isSecret(key))

function restore(): Drafts {
  const typed = restoreInput(FORM)
  return Object.fromEntries(BACKUP_KEYS.map(key => [key, inputText(typed, key)]))
}

/** What has been typed on all tabs and not been saved yet, and its errors. */
export function useDrafts(saved: Saved) {
  const [drafts, setDrafts] = useState<Drafts>(restore)
  const [errors, setErrors] = useState<Errors>({})

  const backup = Object.fromEntries(findChanges(BACKUP_KEYS, saved, drafts))
  useInputBackup(FORM, Object.keys(backup).length > 0 ? backup : null)

  function change(key: SettingKey, value: string) {
    setDrafts(drafts => ({ ...drafts, [key]: value }))
    setErrors(errors => ({ ...errors, [key]: undefined }))
  }

  function discard(keys: readonly SettingKey[]) {
    const without = (all: Drafts) => ({ ...all, ...Object.fromEntries(keys.map(key => [key, undefined])) })
    setDrafts(without)
    setErrors(without)
  }

  /** Validates these drafts and shows their errors. @returns whether they may be sent */
  function check(keys: readonly SettingKey[]): boolean {
    const found = findErrors(keys, saved, drafts)
    setErrors(errors => ({ ...errors, ...found }))
    return Object.keys(found).length === 0
  }

  /** Shows the server's error for this value, or for another that depends on it. */
  function showRejection(key: SettingKey, error: Error) {
    if (!(error instanceof ApiError)) return
    const { value, ...others } = error.errors
    setErrors(errors => ({ ...errors, ...others, ...(value && { [key]: value }) }))
  }

  const current = (key: SettingKey): string => drafts[key] ?? saved[key] ?? ''
  const clearErrors = useCallback(() => setErrors({}), [])

  return {
    errors,
    clearErrors,
    change,
    discard,
    check,
    showRejection,
    valueOf: current,
    /** The props of a text. */
    at: (key: SettingKey) => ({
      name: key,
      autoComplete: 'off',
      value: current(key),
      error: errors[key],
      onValue: (value: string) => change(key, value),
    }),
    /** The props of what is on or off. */
    switchAt: (key: SettingKey) => ({
      value: current(key) === 'true',
      onValue: (isOn: boolean) => change(key, String(isOn)),
    }),
    changesOf: (keys: readonly SettingKey[]): Change[] => findChanges(keys, saved, drafts),
    isDirty: findChanges(settingKeys, saved, drafts).length > 0,
  }
}

export type DraftSettings = ReturnType<typeof useDrafts>

/** Every setting as the server returned it, secrets masked. */
export type Saved = Readonly<Record<string, string | undefined>>
export type Drafts = Readonly<Partial<Record<SettingKey, string | undefined>>>
type Errors = Drafts
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
  const current = (key: SettingKey) => drafts[key] ?? saved[key] ?? ''
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
