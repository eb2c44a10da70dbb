import { useCallback, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { inputText, restoreInput, useInputBackup } from '../../ui/input-backup.ts'
import { isSecret, type SettingKey, settingKeys } from './contract.ts'
import { type Change, type Drafts, type Errors, findChanges, findErrors, type Saved } from './drafts.ts'

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

  const clearErrors = useCallback(() => setErrors({}), [])

  return {
    errors,
    clearErrors,
    change,
    discard,
    check,
    showRejection,
    valueOf: (key: SettingKey): string => drafts[key] ?? saved[key],
    changesOf: (keys: readonly SettingKey[]): Change[] => findChanges(keys, saved, drafts),
    isDirty: findChanges(settingKeys, saved, drafts).length > 0,
  }
}

export type DraftSettings = ReturnType<typeof useDrafts>
