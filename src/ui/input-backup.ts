import { useEffect } from 'react'

/** The `sessionStorage` key for what was typed before the session ended or the tab was reloaded. */
const KEY = 'landfall-typed'

interface Backup {
  readonly userId: string
  /** Form name → field values. Never a password or a key. */
  readonly forms: Readonly<Record<string, unknown>>
  /** Whether it was written while somebody was typing, and not because their session ended. */
  readonly isTyping?: boolean
}

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
    return () => {
      open.delete(form)
    }
  }, [form, text])
  // The restored values are now in the form, so the backup is deleted.
  useEffect(() => deleteInput(form), [form])
}

function deleteInput(form: string) {
  const { forms, ...kept } = readBackup()
  const { [form]: _, ...others } = forms
  if (!(form in forms)) return
  if (Object.keys(others).length > 0) write({ ...kept, forms: others })
  else clearInput()
}

/**
 * Backs up the values of one form while its user is typing, for a tab that crashes or is reloaded.
 * @param values null while there is nothing to back up; never a password or a key
 */
export function keepInput(userId: string, form: string, values: object | null) {
  // All forms are backed up already, or nothing may stay.
  if (isOver || isSignedOut) return
  if (values) write({ userId, forms: { ...readBackup().forms, [form]: values }, isTyping: true })
  else deleteInput(form)
}

/** The values of a form from before the session ended; empty if there are none. */
export function restoreInput(form: string): Readonly<Record<string, unknown>> {
  const typed = readBackup().forms[form]
  return typeof typed === 'object' && typed !== null ? { ...typed } : {}
}

/** A text value from the backup. */
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
  write({ userId, forms: Object.fromEntries(open) })
}

/** Deletes the backup of another user, so that people see only what they typed themselves. */
export function clearInputOfOthers(userId: string) {
  const kept = readBackup()
  if (kept.userId !== userId || Object.keys(kept.forms).length === 0) clearInput()
}

export function clearInput() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without access to storage there is no backup.
  }
}

/** The notice on the sign-in page when a session has ended in this tab. */
export function sessionEndedNotice(): string | null {
  const { userId, forms, isTyping } = readBackup()
  if (!userId || isTyping) return null
  return Object.keys(forms).length > 0
    ? 'Your session has ended; sign in again and what you typed will be there.'
    : 'Your session has ended; please sign in again.'
}

let isSignedOut = false

/** Deletes all that was backed up and keeps nothing more, because the user has signed out and this document is left. */
export function forgetInput() {
  isSignedOut = true
  clearInput()
}

function write(kept: Backup) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Storage is denied or full: what was typed is lost, as it would be without a backup.
  }
}

/** Never throws: a browser may deny access to storage, and the stored value may be anything. */
function readBackup(): Backup {
  try {
    const kept: Backup = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    if (typeof kept.userId === 'string' && typeof kept.forms === 'object' && kept.forms) return kept
  } catch {
    // No usable value.
  }
  return { userId: '', forms: {} }
}
