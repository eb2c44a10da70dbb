import { findPasswordLink } from '../../auth/password-link.ts'
import { hours, minutes } from '../../clock.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { passwordLink } from './contract.ts'
import { requestLink } from './request-link.server.ts'
import { setPasswordByLink, throwInvalidLink } from './set-password.server.ts'

/** More than an office needs that shares an address; each may send an email. */
const REQUESTS_PER_ADDRESS = { name: 'password link requests', count: 10, per: minutes(15) }
/** Nobody can guess a token; this only bounds the look-ups. An open page and a mistyped password cost one each. */
const OPENED_PER_ADDRESS = { name: 'opened password links', count: 30, per: hours(1) }
const SET_PER_ADDRESS = { name: 'passwords set by link', count: 30, per: hours(1) }

/** Serves *Forgot password?* and the form behind the links in emails. */
export function servePasswordLinks(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(
    router,
    passwordLink.request,
    async (input, call) => {
      await requestLink(services, input, call)
      return {}
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
