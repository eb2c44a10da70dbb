import { passwordChangedEmail, readSignature } from '../../auth/account-emails.ts'
import { replacePassword } from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashPassword } from '../../auth/password.ts'
import { findPasswordLink } from '../../auth/password-link.ts'
import { deleteSessionsOf } from '../../auth/session.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { INVALID_LINK, type PasswordByLink } from './contract.ts'
import { markVerified } from './store.server.ts'

/**
 * Sets a password with a link, which then no longer works, and ends every session. Signs nobody in: that still takes a
 * code. Wrong codes stay counted, since who reads the email reads the codes too, and a factor other than email must not
 * be open to more guesses. @throws {HttpError} 400
 */
export async function setPasswordByLink(
  services: Services,
  { token, password }: PasswordByLink,
  call: HandlerContext<'public'>,
): Promise<void> {
  const { db, clock, outbox } = services
  // Before the hash, so that a stranger cannot make the server compute any.
  const opened = (await findPasswordLink(db, clock, token)) ?? throwInvalidLink()
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  await inTransaction(db, async transaction => {
    await lockUser(transaction, opened.user.id)
    // Again: meanwhile it may have been used, or the user changed or deleted.
    const { user, purpose } = (await findPasswordLink(transaction, clock, token)) ?? throwInvalidLink()
    await replacePassword(transaction, user.id, passwordHash)
    await deleteSessionsOf(transaction, user.id)
    await markVerified(transaction, user.id)
    if (purpose === 'reset') await outbox.add(transaction, passwordChangedEmail(user, signature), null)
  })
  call.log('info', 'Auth', messages[opened.purpose], { userId: opened.user.id })
}

const messages = { reset: 'Password set with a link', invitation: 'Invitation accepted' }

export function throwInvalidLink(): never {
  throwHttpError(400, INVALID_LINK)
}
