import { hashToken } from '../../auth/session.ts'
import type { MessageRow } from '../../database/tables.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwFieldError, throwHttpError } from '../../http/http-error.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { setDownloadHeaders } from '../inbox/attachments/api.server.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import { askByReference, emailCodeTo, spendCode } from './codes.server.ts'
import { CODE_ENDED, CODE_MESSAGE, visitorPage } from './contract.ts'
import { eraseOrAsk, readHeld } from './held.server.ts'
import { findByToken } from './tokens.server.ts'
import { openSaidFile, readSaid, readStatus } from './visible.server.ts'

/** Refused tokens, codes and texts of one client address. */
export const REFUSED = { name: 'refused calls of a status page', count: 30, per: minutes(10) }

const GONE = 'This link no longer works. Ask for another one with your reference and email address.'
const NO_ACCESS = 'Please enter a new code: the last one counts for half an hour.'

/** @throws {HttpError} 404 for a link that is unknown, revoked or expired, or whose enquiry is gone */
export async function requireLink(services: Services, token: string): Promise<MessageRow> {
  return (await findByToken(services, token, 'link')) ?? throwHttpError(404, GONE)
}

/** @throws {HttpError} 404 where the code was typed too long ago, or for another enquiry */
export async function requireAccess(services: Services, token: string, access: string): Promise<MessageRow> {
  const message = await requireLink(services, token)
  const allowed = await findByToken(services, access, 'access')
  return allowed?.id === message.id ? message : throwHttpError(404, NO_ACCESS)
}

/** Exchanges the right code for half an hour of access. @param asker who has asked for it @throws {HttpError} 400 */
export async function openWithCode(services: Services, asker: string, code: string): Promise<string> {
  const spent = await spendCode(services, asker, code)
  return typeof spent === 'string'
    ? throwFieldError('code', spent === 'wrong' ? CODE_MESSAGE : CODE_ENDED)
    : spent.access
}

/** Serves the page of an enquiry to programs; a browser posts the forms of `pages.server.tsx`. */
export function serveVisitorPage(router: ApiRouter): void {
  const { services } = router
  const limits = { refusals: REFUSED }

  serve(router, visitorPage.link, async (asked, { address }) => {
    await askByReference(services, 'link', asked, { address })
    return {}
  })

  serve(
    router,
    visitorPage.read,
    async ({ token, code }) => {
      const message = await requireLink(services, token)
      const status = await readStatus(services, message)
      if (code === undefined) return { status }
      const access = await openWithCode(services, hashToken(token), code)
      return { status, replies: await readSaid(services.db, message), access }
    },
    limits,
  )

  serve(
    router,
    visitorPage.code,
    async ({ token }, { address }) => {
      await emailCodeTo(services, await requireLink(services, token), { token, address })
      return {}
    },
    limits,
  )

  serve(
    router,
    visitorPage.add,
    async ({ token, access, message: text }, { header }) => {
      const message = await requireAccess(services, token, access)
      const key = keyFromHeader(`addition ${message.id}`, header('idempotency-key'), text)
      await addToEnquiry(services, message, { text, files: [] }, key)
      return {}
    },
    limits,
  )

  serve(
    router,
    visitorPage.file,
    async ({ token, access, id }, { setHeader }) => {
      const file = await openSaidFile(services.db, await requireAccess(services, token, access), id)
      setDownloadHeaders(setHeader, file.name)
      return file.body
    },
    limits,
  )

  serve(
    router,
    visitorPage.held,
    async ({ token, access }) => ({
      held: await readHeld(services.db, await requireAccess(services, token, access)),
    }),
    limits,
  )

  serve(
    router,
    visitorPage.erase,
    async ({ token, access }) => {
      const certificate = await eraseOrAsk(services, await requireAccess(services, token, access), access)
      return certificate ? { certificate } : {}
    },
    limits,
  )

  serve(
    router,
    visitorPage.withdraw,
    async ({ token, access }) => {
      await withdrawEnquiry(services, await requireAccess(services, token, access))
      return {}
    },
    limits,
  )
}
