/** What was typed and is kept in this tab. Apart from `input-backup.ts`, because the sign-in needs no more than this. */

/** The `sessionStorage` key for what was typed before the session ended or the tab was reloaded. */
export const KEY = 'landfall-typed'

export interface Backup {
  readonly userId: string
  /** Form name → field values. Never a password or a key. */
  readonly forms: Readonly<Record<string, unknown>>
  /** Whether it was written while somebody was typing, and not because their session ended. */
  readonly isTyping?: boolean
}

/** Never throws: a browser may deny access to storage, and the stored value may be anything. */
export function readBackup(): Backup {
  try {
    const kept: Backup = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    if (typeof kept.userId === 'string' && typeof kept.forms === 'object' && kept.forms) return kept
  } catch {
    // No usable value.
  }
  return { userId: '', forms: {} }
}

export function writeBackup(kept: Backup) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Storage is denied or full: what was typed is lost, as it would be without a backup.
  }
}

/** All that is kept in this tab, because its user has signed out. */
export function clearTab() {
  try {
    sessionStorage.clear()
  } catch {
    // Without access to storage nothing is kept.
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
