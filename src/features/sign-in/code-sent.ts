import { hours, seconds } from '../../clock.ts'

const KEY = 'landfall-code-sent'

/** How long the server waits before it sends another code. */
const RESEND_AFTER = seconds(60)
/** How long the server keeps a sign-in that waits for its code. */
const PENDING_LIFETIME = hours(1)

/** Records that this browser waits for a code, so that other visits need not ask the server. */
export function recordCodeSent() {
  attempt(() => localStorage.setItem(KEY, String(Date.now())))
}

export function clearCodeSent() {
  attempt(() => localStorage.removeItem(KEY))
}

export function mayBePending(): boolean {
  return timeSinceCode() < PENDING_LIFETIME
}

/** Seconds until the server would send another code; 0 when unknown. */
export function secondsUntilResend(): number {
  return Math.max(0, Math.ceil((RESEND_AFTER - timeSinceCode()) / seconds(1)))
}

/** Milliseconds; infinite when no code was sent, 0 when the clock was set back. */
function timeSinceCode(): number {
  const sentAt = Number(attempt(() => localStorage.getItem(KEY)) ?? Number.NEGATIVE_INFINITY)
  return Math.max(0, Date.now() - sentAt)
}

/** A browser may deny storage. Then a reload asks for the password again, which still works. */
function attempt<Result>(use: () => Result): Result | null {
  try {
    return use()
  } catch {
    return null
  }
}
