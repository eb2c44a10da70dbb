import { createSession, type SignedInUser } from '../../auth/session.ts'
import type { UserRow } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { recordKnownBrowser } from './record-known-browser.server.ts'

type SignInCall = Pick<HandlerContext<'public'>, 'address' | 'cookies' | 'header' | 'log'>

/** A stored session and the values of its cookies, which are sent only after the transaction has committed. */
export interface OpenedSession {
  readonly user: SignedInUser
  readonly session: string
  readonly browser: string
}

/** Creates a session for this browser, and sends an email to the owner of the account when the browser is new. */
export async function openSession(
  services: Services,
  transaction: Transaction,
  call: SignInCall,
  row: UserRow,
  signature: EmailSignature,
): Promise<OpenedSession> {
  const user = toSignedInUser(row)
  const userAgent = call.header('user-agent') ?? ''
  const session = await createSession(transaction, services.clock, user.id, userAgent)
  const browser = await recordKnownBrowser(services, transaction, call, user, signature)
  return { user, session, browser }
}

/** Sets the cookies of a committed session and logs the sign-in. */
export function completeSignIn(
  { cookies, log }: SignInCall,
  { user, session, browser }: OpenedSession,
  by: 'code' | 'trusted device',
): void {
  cookies.set('session', session)
  cookies.set('signed_in', '1')
  // Set again to extend its lifetime.
  cookies.set('browser', browser)
  log('info', 'Auth', 'Signed in', { userId: user.id, by })
}

export function toSignedInUser({ id, email, name, role }: UserRow): SignedInUser {
  return { id, email, name, role }
}
