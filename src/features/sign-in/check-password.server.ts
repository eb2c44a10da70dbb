import { isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import type { UserRow } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'
import { findUserByEmail } from './store.server.ts'
import { consumeAttempt, resetWrongPasswords } from './wrong-passwords.server.ts'

interface LoginAttempt {
  /** In its canonical form. */
  readonly email: string
  readonly password: string
  /** Null for an unknown browser. */
  readonly browser: KnownBrowser | null
}

/**
 * Finds the user with this address and password. For an unknown account, a wrong password and a locked account, the
 * reply is the same and takes the same time. @throws {HttpError} 401
 */
export async function checkPassword(
  { db, clock }: Services,
  { email, password, browser }: LoginAttempt,
  log: Log,
): Promise<UserRow> {
  const { user, attempt, isRight } = await limitConcurrency(browser ? 'staff' : 'stranger', async () => {
    const found = await findUserByEmail(db, email)
    const checks = [
      consumeAttempt(db, clock, email, browser),
      isPasswordRight(password, found?.password_hash),
    ] as const
    const [left, right] = await Promise.all(checks)
    return { user: found, attempt: left, isRight: right }
  })
  if (!user) {
    log('warning', 'Auth', 'Sign-in failed: no such account')
    return throwLoginFailed()
  }
  if (attempt === 'no attempts left') {
    log('warning', 'Auth', 'Sign-in failed: account is locked', { userId: user.id })
    return throwLoginFailed()
  }
  if (!isRight) {
    const message = attempt === 'last attempt' ? 'Account locked' : 'Sign-in failed: wrong password'
    log('warning', 'Auth', message, { userId: user.id })
    return throwLoginFailed()
  }
  await resetWrongPasswords(db, user.id, browser)
  return user
}

export function throwLoginFailed(): never {
  throwHttpError(401, 'Login failed')
}
