import { inTurn, isPasswordRight } from '../../accounts/password.ts'
import type { UserRow } from '../../database/tables.ts'
import { refuse } from '../../http/problem.ts'
import type { Log } from '../../log.ts'
import type { Services } from '../../services.ts'
import type { KnownBrowser } from './known-browser.server.ts'
import { findUserByEmail } from './store.server.ts'
import { forgetWrongPasswords, takeTry } from './wrong-passwords.server.ts'

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
  const { user, taken, isRight } = await inTurn(browser ? 'staff' : 'stranger', async () => {
    const found = await findUserByEmail(db, email)
    const looks = [
      takeTry(db, clock, email, browser),
      isPasswordRight(password, found?.password_hash),
    ] as const
    const [first, second] = await Promise.all(looks)
    return { user: found, taken: first, isRight: second }
  })
  if (!user) {
    log('warning', 'Auth', 'A sign-in failed: there is no such account')
    return refuseLogin()
  }
  if (taken === 'none was left') {
    log('warning', 'Auth', 'A sign-in failed: the account is locked', { userId: user.id })
    return refuseLogin()
  }
  if (!isRight) {
    const what = taken === 'the last' ? 'An account was locked' : 'A sign-in failed: wrong password'
    log('warning', 'Auth', what, { userId: user.id })
    return refuseLogin()
  }
  await forgetWrongPasswords(db, user.id, browser)
  return user
}

export function refuseLogin(): never {
  refuse(401, 'Login failed')
}
