import { PENDING_LIFETIME, RESEND_AFTER } from '../../auth/lifetimes.ts'
import { ApiError } from '../../http/api-client.ts'
import { seconds } from '../../platform/clock.ts'
import { call } from '../../ui/client.ts'
import { signIn } from './contract.ts'

export interface PendingCode {
  readonly name: string
  /** Why the code was printed on the server instead of sent to somebody; null when it was sent. */
  readonly printed: 'failing' | 'no mail' | null
}

export type Step =
  | { readonly kind: 'password'; readonly notice?: string }
  | ({ readonly kind: 'code' } & PendingCode)
  | { readonly kind: 'signed-in' }

/**
 * The step of the sign-in that this browser has reached. Local hints avoid calls that would certainly be refused.
 * @throws when it is unknown whether somebody is signed in or a code is pending
 */
export async function findStep(): Promise<Step> {
  if (document.cookie.includes('signed_in=1')) {
    if (await orNull(call(signIn.me, {}))) return { kind: 'signed-in' }
  }
  return mayBePending() ? await findPending() : { kind: 'password' }
}

/** Null after the reply that nobody is signed in. @throws for any other failure */
async function orNull<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

export async function findPending(): Promise<Step> {
  const pending = await orNull(call(signIn.pending, {}))
  if (pending) return { kind: 'code', name: pending.user.name, printed: whyPrinted(pending.factors) }
  clearCodeSent()
  return { kind: 'password' }
}

function whyPrinted(factors: readonly string[]): PendingCode['printed'] {
  if (!factors.includes('console')) return null
  return factors.includes('email') ? 'no mail' : 'failing'
}

const KEY = 'landfall-code-sent'

/** Records that this browser waits for a code, so that other visits need not ask the server. */
export function recordCodeSent() {
  attempt(() => localStorage.setItem(KEY, String(Date.now())))
}

export function clearCodeSent() {
  attempt(() => localStorage.removeItem(KEY))
}

function mayBePending(): boolean {
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
