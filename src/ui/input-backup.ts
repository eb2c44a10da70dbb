import { useEffect } from 'react'

/** Where this tab keeps what was typed while a person signs in again. Their session has ended if there is something. */
const KEY = 'landfall-typed'

interface Kept {
  readonly userId: string
  /** Name of a form → what is in its fields. Never a password or a key. */
  readonly forms: Readonly<Record<string, unknown>>
}

/** What is typed in the forms that are open. */
const open = new Map<string, unknown>()

/**
 * Has what is typed in a form kept when the session ends.
 * @param values null while there is nothing to keep; never a password or a key
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
  // What came back is on the screen now, and lives there.
  useEffect(() => {
    const { forms, ...kept } = readKept()
    const { [form]: _, ...others } = forms
    if (!(form in forms)) return
    if (Object.keys(others).length > 0) write({ ...kept, forms: others })
    else clearInput()
  }, [form])
}

/** What was typed in a form when the session ended, once. */
export function restoreInput(form: string): Readonly<Record<string, unknown>> {
  const typed = readKept().forms[form]
  return typeof typed === 'object' && typed !== null ? { ...typed } : {}
}

/** A text among what was typed. */
export function inputText(typed: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = typed[name]
  return typeof value === 'string' ? value : undefined
}

let isOver = false

/** Whether the session has ended under this document, which is about to go: what is typed is kept, so nobody is asked. */
export const hasSessionEnded = () => isOver

/** The session has ended: keeps what is typed in all forms for this person. */
export function saveInput(userId: string) {
  isOver = true
  write({ userId, forms: Object.fromEntries(open) })
}

/** Whoever has signed in sees only what they typed themself. */
export function clearInputOfOthers(userId: string) {
  const kept = readKept()
  if (kept.userId !== userId || Object.keys(kept.forms).length === 0) clearInput()
}

export function clearInput() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Where nothing may be kept, nothing is.
  }
}

/** What the sign-in says of a session that has ended in this tab. */
export function sessionEndedNotice(): string | null {
  const { userId, forms } = readKept()
  if (!userId) return null
  return Object.keys(forms).length > 0
    ? 'Your session has ended; sign in again and what you typed will be there.'
    : 'Your session has ended; please sign in again.'
}

function write(kept: Kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // The browser keeps nothing, or has no room: what was typed is lost, as it would be without this.
  }
}

/** Never throws: a browser may refuse storage, and what is in it may be anything. */
function readKept(): Kept {
  try {
    const kept: Kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    if (typeof kept.userId === 'string' && typeof kept.forms === 'object' && kept.forms) return kept
  } catch {
    // Nothing that can be used.
  }
  return { userId: '', forms: {} }
}
