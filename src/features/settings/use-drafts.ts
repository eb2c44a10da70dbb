import { useCallback, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { inputText, restoreInput, useInputBackup } from '../../ui/input-backup.ts'
import { isSecret, type SettingKey, settingKeys } from './contract.ts'
import { type Change, type Drafts, type Errors, findChanges, findErrors, type Saved } from './drafts.ts'

const FORM = 'settings'
/** Those that may be kept while somebody signs in again. */
const OPEN_KEYS = settingKeys.filter(key => !isSecret(key))

function restore(): Drafts {
  const typed = restoreInput(FORM)
  return Object.fromEntries(OPEN_KEYS.map(key => [key, inputText(typed, key)]))
}

/** What has been typed on all tabs and not been saved yet, and what is wrong with it. */
export function useDrafts(saved: Saved) {
  const [drafts, setDrafts] = useState<Drafts>(restore)
  const [errors, setErrors] = useState<Errors>({})

  const open = Object.fromEntries(findChanges(OPEN_KEYS, saved, drafts))
  useInputBackup(FORM, Object.keys(open).length > 0 ? open : null)

  function change(key: SettingKey, value: string) {
    setDrafts(drafts => ({ ...drafts, [key]: value }))
    setErrors(errors => ({ ...errors, [key]: undefined }))
  }

  function forget(keys: readonly SettingKey[]) {
    const without = (all: Drafts) => ({ ...all, ...Object.fromEntries(keys.map(key => [key, undefined])) })
    setDrafts(without)
    setErrors(without)
  }

  /** @returns whether these may be sent; if not, their errors are shown. */
  function check(keys: readonly SettingKey[]): boolean {
    const found = findErrors(keys, saved, drafts)
    setErrors(errors => ({ ...errors, ...found }))
    return Object.keys(found).length === 0
  }

  /** Shows what the server says of a value, or of another that it hangs together with. */
  function showRefusal(key: SettingKey, error: Error) {
    if (!(error instanceof ApiError)) return
    const { value, ...others } = error.errors
    setErrors(errors => ({ ...errors, ...others, ...(value && { [key]: value }) }))
  }

  const clearErrors = useCallback(() => setErrors({}), [])

  return {
    errors,
    clearErrors,
    change,
    forget,
    check,
    showRefusal,
    valueOf: (key: SettingKey): string => drafts[key] ?? saved[key],
    changesOf: (keys: readonly SettingKey[]): Change[] => findChanges(keys, saved, drafts),
    isDirty: findChanges(settingKeys, saved, drafts).length > 0,
  }
}

export type DraftSettings = ReturnType<typeof useDrafts>
