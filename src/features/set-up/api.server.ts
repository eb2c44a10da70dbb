import * as z from 'zod/mini'
import { LINK_LIFETIME, readSignature } from '../../auth/account-emails.ts'
import { hashPassword } from '../../auth/password.ts'
import { hashToken, newToken } from '../../auth/session.ts'
import { hasUsers } from '../../content/first-content.server.ts'
import { isWithin } from '../../database/lifetime.ts'
import type { Database } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { hours, isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { trustDevice } from '../sign-in/store.server.ts'
import { completeSignIn, openSession } from '../sign-in/verify-code.server.ts'
import { type FirstAdmin, INVALID_LINK, setUp } from './contract.ts'
import { insertDefaultAdmin } from './first-admin.server.ts'

/** Nobody can guess a token; these only bound the look-ups and the hashes. */
const OPENED_PER_ADDRESS = { name: 'opened set-up links', count: 30, per: hours(1) }
const CREATED_PER_ADDRESS = { name: 'set-ups', count: 30, per: hours(1) }

/** The link of which there is only one, as the settings keep it. */
const StoredLink = z.object({ hash: z.string(), expiresAt: z.string() })

/**
 * Makes a new set-up link while there are no users; one that was printed before no longer works.
 * @returns its token; null when somebody has set up the installation
 */
export async function issueSetUpToken({ db, clock, settings }: Services): Promise<string | null> {
  if (await hasUsers(db)) return null
  const token = newToken()
  const link = { hash: hashToken(token), expiresAt: isoAfter(clock, LINK_LIFETIME) }
  await settings.write('set_up_link', JSON.stringify(link))
  return token
}

export function serveSetUp(router: ApiRouter): void {
  const { services } = router

  // Changes nothing, so a program that opens links before people do uses up none.
  serve(
    router,
    setUp.open,
    async ({ token }) => {
      await assertLinkWorks(services, services.db, token)
      return {}
    },
    { perAddress: OPENED_PER_ADDRESS },
  )

  serve(router, setUp.create, async (input, call) => ({ user: await createAdmin(services, input, call) }), {
    perAddress: CREATED_PER_ADDRESS,
  })
}

/**
 * Creates the default admin, who is signed in, and whose browser is trusted: with no mail set up, its next sign-in needs no
 * code. Enquiries go to their address. @throws {HttpError} 400
 */
async function createAdmin(services: Services, input: FirstAdmin, call: HandlerContext<'public'>) {
  const { clock, settings } = services
  // Before the hash, so that a stranger cannot make the server compute any.
  await assertLinkWorks(services, services.db, input.token)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(input.password)
  const create = async (transaction: Transaction) => {
    // Again: meanwhile somebody else may have used it.
    await assertLinkWorks(services, transaction, input.token)
    const { name, email } = input
    const user = await insertDefaultAdmin(transaction, clock, { name, email, passwordHash })
    if (!user) throwHttpError(400, INVALID_LINK)
    const opened = await openSession(services, transaction, call, user, signature)
    return { ...opened, device: await trustDevice(transaction, clock, user.id) }
  }
  let entered: Awaited<ReturnType<typeof create>> | undefined
  // Changes of settings are serialised, so that one link makes one admin.
  await settings.writeTogether({ form_email: input.email, set_up_link: '' }, async transaction => {
    entered = await create(transaction)
  })
  if (!entered) throw new Error('The settings were written without the admin')
  completeSignIn(call, entered, 'set-up link')
  call.cookies.set('device', entered.device)
  return entered.user
}

/** @throws {HttpError} 400 */
async function assertLinkWorks({ clock, settings }: Services, db: Database, token: string): Promise<void> {
  const stored = await settings.secret('set_up_link', db)
  const link = stored === '' ? null : StoredLink.parse(JSON.parse(stored))
  const isRight = link?.hash === hashToken(token) && isWithin(link.expiresAt, clock, 0, LINK_LIFETIME)
  if (!isRight || (await hasUsers(db))) throwHttpError(400, INVALID_LINK)
}
