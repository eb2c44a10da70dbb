import { useState } from 'react'

/** Saves what is typed before a write that is about it. A dialog stays until both have ended. */
export function useSaveFirst<Result>(save: () => Promise<Result>) {
  const [isSaving, setSaving] = useState(false)

  async function saveFirst(write: (result: Result) => void) {
    setSaving(true)
    write(await save())
    setSaving(false)
  }

  return { isSaving, saveFirst }
}
