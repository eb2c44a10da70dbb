import { passwordChangedEmail, readSignature } from '../../auth/account-emails.ts'
import { markVerified, replacePassword } from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashPassword } from '../../auth/password.ts'
import { findPasswordLink } from '../../auth/password-link.ts'
import { deleteSessionsOf } from '../../auth/session.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { hours, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { INVALID_LINK, type PasswordByLink, passwordLink } from './contract.ts'
import { requestLink } from './reset-links.server.ts'

/** More than an office needs that shares an address; each may send an email. */
const REQUESTS_PER_ADDRESS = { name: 'password link requests', count: 10, per: minutes(15) }
/** Nobody can guess a token; this only bounds the look-ups. An open page and a mistyped password cost one each. */
const OPENED_PER_ADDRESS = { name: 'opened password links', count: 30, per: hours(1) }
const SET_PER_ADDRESS = { name: 'passwords set by link', count: 30, per: hours(1) }

/** Serves *Forgot password?* and the form behind the links in emails. */
export function servePasswordLinks(router: ApiRouter): void {
  const { services } = router
  const { db, clock, mail } = services

  serve(
    router,
    passwordLink.request,
    async (input, call) => {
      await requestLink(services, input, call)
      return { isMailKeptHere: (await mail.transport()) === 'mailbox' }
    },
    { perAddress: REQUESTS_PER_ADDRESS },
  )

  // Changes nothing, so a program that opens links before people do uses up none.
  serve(
    router,
    passwordLink.open,
    async ({ token }) => {
      const { purpose, user } = (await findPasswordLink(db, clock, token)) ?? throwInvalidLink()
      return { purpose, name: user.name, email: user.email }
    },
    { perAddress: OPENED_PER_ADDRESS },
  )

  serve(
    router,
    passwordLink.setPassword,
    async (input, call) => {
      await setPasswordByLink(services, input, call)
      return {}
    },
    { perAddress: SET_PER_ADDRESS },
  )
}

/**
 * Sets a password with a link, which then no longer works, and ends every session. Signs nobody in: that still takes a
 * code. Wrong codes stay counted, since who reads the email reads the codes too, and a factor other than email must not
 * be open to more guesses. @throws {HttpError} 400
 */
async function setPasswordByLink(
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
    await markVerified(transaction, user)
    if (purpose === 'reset') await outbox.add(transaction, passwordChangedEmail(user, signature), null)
  })
  call.log('info', 'Auth', messages[opened.purpose], { userId: opened.user.id })
}

const messages = { reset: 'Password set with a link', invitation: 'Invitation accepted' }

function throwInvalidLink(): never {
  throwHttpError(400, INVALID_LINK)
}
