import type { MessageRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwFieldError, throwHttpError } from '../../http/http-error.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import { askByReference, sendTo, spendCode } from './codes.server.ts'
import { CODE_MESSAGE, visitorPage } from './contract.ts'
import { eraseUnanswered, readHeld } from './held.server.ts'
import { addVisitorToken, findByToken } from './tokens.server.ts'
import { readSaid, readStatus } from './visible.server.ts'

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

/** Emails a code about an enquiry. */
export async function emailCode(services: Services, message: MessageRow): Promise<void> {
  await inTransaction(services.db, transaction => sendTo(services, transaction, message, 'code'))
}

/** Exchanges the right code for half an hour of access. @throws {HttpError} 400 */
export async function openWithCode(services: Services, { id }: MessageRow, code: string): Promise<string> {
  if (!(await spendCode(services, id, code))) throwFieldError('code', CODE_MESSAGE)
  return await addVisitorToken(services, id, 'access')
}

/** Serves the page of an enquiry to programs; a browser posts the forms of `pages.server.tsx`. */
export function serveVisitorPage(router: ApiRouter): void {
  const { services } = router
  const limits = { refusals: REFUSED }

  serve(router, visitorPage.link, async (asked, { address }) => {
    await askByReference(services, 'link', asked, address)
    return {}
  })

  serve(
    router,
    visitorPage.read,
    async ({ token, code }) => {
      const message = await requireLink(services, token)
      const status = await readStatus(services, message)
      if (code === undefined) return { status }
      const access = await openWithCode(services, message, code)
      return { status, replies: await readSaid(services.db, message), access }
    },
    limits,
  )

  serve(
    router,
    visitorPage.code,
    async ({ token }) => {
      await emailCode(services, await requireLink(services, token))
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
      await addToEnquiry(services, message, text, key)
      return {}
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
    async ({ token, access }) => ({
      certificate: await eraseUnanswered(services, await requireAccess(services, token, access)),
    }),
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
