import { isPasswordRight } from '../../accounts/password.ts'
import { refuse } from '../../http/problem.ts'
import type { SignedInUser } from '../../http/session.ts'
import type { Log } from '../../log.ts'
import type { Services } from '../../services.ts'
import { findUserByEmail } from './store.server.ts'
import { forgetWrongPasswords, takeTry } from './wrong-passwords.server.ts'

/**
 * Address and password → the user. Whether the account is unknown, the password wrong or the account locked, the
 * answer is the same and takes as long. @throws {Problem} 401
 */
export async function checkPassword(
  { db, clock }: Services,
  email: string,
  password: string,
  log: Log,
): Promise<SignedInUser> {
  const user = await findUserByEmail(db, email)
  const [taken, isRight] = await Promise.all([
    takeTry(db, clock, email),
    isPasswordRight(password, user?.password_hash),
  ])
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
  await forgetWrongPasswords(db, user.id)
  return { id: user.id, email: user.email, name: user.name, role: user.role }
}

function refuseLogin(): never {
  refuse(401, 'Login failed')
}
