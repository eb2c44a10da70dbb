import { useEffect } from 'react'
import { clearTab, KEY, readBackup, writeBackup } from './stored-input.ts'

/** The values of the open forms, by form name. */
const open = new Map<string, unknown>()

/**
 * Backs up the values of a form when the session ends.
 * @param values null while there is nothing to back up; never a password or a key
 */
export function useInputBackup(form: string, values: object | null) {
  const text = JSON.stringify(values)
  useEffect(() => {
    const typed: unknown = JSON.parse(text)
    if (typed === null) return
    open.set(form, typed)
    return () => void open.delete(form)
  }, [form, text])
  // The restored values are now in the form, so the backup is deleted.
  useEffect(() => deleteInput(form), [form])
}

function deleteInput(form: string) {
  const { forms, ...kept } = readBackup()
  const { [form]: _, ...others } = forms
  if (!(form in forms)) return
  if (Object.keys(others).length > 0) writeBackup({ ...kept, forms: others })
  else clearInput()
}

/**
 * Backs up the values of one form while its user is typing, for a tab that crashes or is reloaded.
 * @param values null while there is nothing to back up; never a password or a key
 */
export function keepInput(userId: string, form: string, values: object | null) {
  // All forms are backed up already, or nothing may stay.
  if (isOver || isSignedOut) return
  if (values) writeBackup({ userId, forms: { ...readBackup().forms, [form]: values }, isTyping: true })
  else deleteInput(form)
}

/** The values of a form from before the session ended; empty if there are none. */
export function restoreInput(form: string): Readonly<Record<string, unknown>> {
  const typed = readBackup().forms[form]
  return typeof typed === 'object' && typed !== null ? { ...typed } : {}
}

export function inputText(typed: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = typed[name]
  return typeof value === 'string' ? value : undefined
}

let isOver = false

/** Whether the session has ended and this document is about to be left: the input is backed up, so no warning is needed. */
export const hasSessionEnded = () => isOver

/** Backs up the values of all open forms for this user, because their session has ended. */
export function saveInput(userId: string) {
  isOver = true
  const kept = readBackup()
  const typing = kept.userId === userId ? kept.forms : {}
  writeBackup({ userId, forms: { ...typing, ...Object.fromEntries(open) } })
}

/** Deletes the backup of another user, so that people see only what they typed themselves. */
export function clearInputOfOthers(userId: string) {
  const kept = readBackup()
  if (kept.userId !== userId || Object.keys(kept.forms).length === 0) clearInput()
}

let isSignedOut = false

/** Deletes all that was backed up and keeps nothing more, because the user has signed out and this document is left. */
export function forgetInput() {
  isSignedOut = true
  clearTab()
}

function clearInput() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without access to storage there is no backup.
  }
}
