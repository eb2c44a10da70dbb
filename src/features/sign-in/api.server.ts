import { deleteSession, findSession, issueCsrfToken, type PendingSignIn } from '../../auth/session.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { csrfBinding, newAnonymousBinding } from '../../http/request-checks.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { resendCode } from './code.server.ts'
import { isConsoleCode } from './console-code.server.ts'
import { signIn } from './contract.ts'
import { findKnownBrowser } from './known-browser.server.ts'
import { logIn } from './log-in.server.ts'
import { deletePending } from './store.server.ts'
import { verifyCode } from './verify-code.server.ts'

/** A whole office may leave at five. */
const SIGN_OUTS_PER_ADDRESS = { name: 'sign-outs', count: 300, per: minutes(1) }
const LOGINS_PER_ADDRESS = { name: 'logins', count: 20, per: minutes(5) }
/** Replaces the limit of its client address, which strangers in the same network can use up. */
const LOGINS_PER_KNOWN_BROWSER = { name: 'logins of a known browser', count: 20, per: minutes(5) }

export function serveSignIn(router: ApiRouter): void {
  const { services } = router
  const { db, clock, keys, rateLimiter } = services

  serve(router, signIn.csrfToken, async (_input, call) => {
    const binding = csrfBinding(call.cookies, call) ?? newAnonymousBinding(call.cookies)
    return { csrfToken: issueCsrfToken(keys.csrf, binding) }
  })

  serve(router, signIn.me, async (_input, { user, permissions }) => ({ user, permissions: [...permissions] }))

  serve(router, signIn.login, (input, call) => logIn(services, input, call), {
    perAddress: LOGINS_PER_ADDRESS,
    isExempt: async ({ cookies }) => {
      const browser = await findKnownBrowser(db, clock, cookies)
      if (browser) await rateLimiter.consume(LOGINS_PER_KNOWN_BROWSER, browser.id)
      return browser !== null
    },
  })

  // Only reads: reloading the page must not extend a pending sign-in.
  serve(router, signIn.pending, async (_input, { pending }) => ({
    user: { name: pending.user.name },
    factors: await factorsOf(services, pending),
  }))

  serve(router, signIn.verifyCode, (input, call) => verifyCode(services, input, call))

  serve(router, signIn.resendCode, async (_input, { pending, log }) => {
    await resendCode(services, pending, log)
    return {}
  })

  serve(
    router,
    signIn.logout,
    async (_input, call) => {
      if (call.session) {
        await deleteSession(db, call.session.id)
        call.log('info', 'Auth', 'Signed out')
      }
      if (call.pending) await deletePending(db, call.pending.tokenHash)
      for (const name of ['session', 'pending', 'signed_in'] as const) call.cookies.clear(name)
      call.setHeader('Clear-Site-Data', '"cache"')
      return {}
    },
    {
      perAddress: SIGN_OUTS_PER_ADDRESS,
      // No other client of the address, and no other site, keeps somebody from signing out.
      isExempt: async ({ cookies }) =>
        (await findSession(db, clock, cookies.get('session') ?? '', false)) !== null,
    },
  )
}

/** Where the code is: the local mailbox prints the code of the email that it keeps. */
async function factorsOf({ db, mail }: Services, pending: PendingSignIn): Promise<('email' | 'console')[]> {
  if (await isConsoleCode(db, pending)) return ['console']
  return (await mail.transport()) === 'mailbox' ? ['email', 'console'] : ['email']
}
