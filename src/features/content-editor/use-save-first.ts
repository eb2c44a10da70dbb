import { useState } from 'react'

/** Saves what is typed before a write that is about it. A dialog stays until both have ended. */
export function useSaveFirst(save: () => Promise<boolean>) {
  const [isSaving, setSaving] = useState(false)

  async function saveFirst(write: (isSaved: boolean) => void) {
    setSaving(true)
    write(await save())
    setSaving(false)
  }

  return { isSaving, saveFirst }
}
