import { isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import type { UserRow } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Log } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'
import { findUserByEmail } from './store.server.ts'
import { consumeAttempt, resetWrongPasswords } from './wrong-passwords.server.ts'

interface Given {
  /** In its canonical form. */
  readonly email: string
  readonly password: string
  /** Where it was given; null for a stranger's browser. */
  readonly browser: KnownBrowser | null
}

/**
 * Address and password → the user. Whether the account is unknown, the password wrong or the account locked, the
 * answer is the same and takes as long. @throws {Problem} 401
 */
export async function checkPassword(
  { db, clock }: Services,
  { email, password, browser }: Given,
  log: Log,
): Promise<UserRow> {
  const { user, taken, isRight } = await limitConcurrency(browser ? 'staff' : 'stranger', async () => {
    const found = await findUserByEmail(db, email)
    const looks = [
      consumeAttempt(db, clock, email, browser),
      isPasswordRight(password, found?.password_hash),
    ] as const
    const [first, second] = await Promise.all(looks)
    return { user: found, taken: first, isRight: second }
  })
  if (!user) {
    log('warning', 'Auth', 'A sign-in failed: there is no such account')
    return throwLoginFailed()
  }
  if (taken === 'none was left') {
    log('warning', 'Auth', 'A sign-in failed: the account is locked', { userId: user.id })
    return throwLoginFailed()
  }
  if (!isRight) {
    const what = taken === 'the last' ? 'An account was locked' : 'A sign-in failed: wrong password'
    log('warning', 'Auth', what, { userId: user.id })
    return throwLoginFailed()
  }
  await resetWrongPasswords(db, user.id, browser)
  return user
}

export function throwLoginFailed(): never {
  throwHttpError(401, 'Login failed')
}
