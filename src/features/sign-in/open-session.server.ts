import { createSession, type SignedInUser } from '../../auth/session.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { recordKnownBrowser } from './record-known-browser.server.ts'

type SignInCall = Pick<HandlerContext<'public'>, 'address' | 'cookies' | 'header' | 'log'>

/** A session that was written, with the cookies for it: a browser gets them once the transaction has committed. */
export interface OpenedSession {
  readonly user: SignedInUser
  readonly session: string
  readonly browser: string
}

/** Signs this browser in, and tells the owner of the account when it was never used there before. */
export async function openSession(
  services: Services,
  transaction: Database,
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

/** Hands a session that is kept to its browser. */
export function handOver(
  services: Services,
  { cookies, log }: SignInCall,
  { user, session, browser }: OpenedSession,
  by: 'code' | 'trusted device',
): void {
  cookies.set('session', session)
  cookies.set('signed_in', '1')
  // Set again, so that it lasts as long from today.
  cookies.set('browser', browser)
  log('info', 'Auth', 'Signed in', { userId: user.id, by })
  services.outbox.wake()
}

export function toSignedInUser({ id, email, name, role }: UserRow): SignedInUser {
  return { id, email, name, role }
}
