import { useCallback, useState } from 'react'
import { CallFailed } from '../../http/call.ts'
import { type SettingKey, settingKeys } from './contract.ts'
import { type Change, type Drafts, type Errors, findChanges, findErrors, type Saved } from './drafts.ts'

/** What has been typed on all tabs and not been saved yet, and what is wrong with it. */
export function useDrafts(saved: Saved) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const [errors, setErrors] = useState<Errors>({})

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
    if (!(error instanceof CallFailed)) return
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
