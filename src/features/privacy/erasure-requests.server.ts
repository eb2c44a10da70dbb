import type { Database, MessageRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { DEFAULT_LANGUAGE } from '../../i18n/texts.ts'
import { isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { newReference } from '../enquiry-form/reference.server.ts'
import { canReach } from '../inbox/acknowledgements/acknowledge.server.ts'
import { addEvent, lockMessage, lockThread } from '../inbox/history/entries.server.ts'
import { wakeForVisitor } from '../inbox/mail-in/from-page.server.ts'
import { type Certificate, type ErasureRequest, erasureRequests } from './contract.ts'
import { erasePerson } from './erase.server.ts'
import { emailCertificate, emailRefusal } from './erasure-emails.server.ts'

const GONE = 'This enquiry no longer exists'
const NOT_ASKED = 'The visitor has not asked to be erased'

/** Leaves an admin the task to erase a visitor. One that was refused can be asked for again. */
export async function askErasure(services: Services, { id }: MessageRow): Promise<void> {
  await inTransaction(services.db, async transaction => {
    const { message: found, target } = await lockThread(transaction, id)
    const message = target ?? found
    if (!found || !message || message.status === 'spam') throwHttpError(404, GONE)
    const asked = await readErasureRequest(transaction, [id])
    if (asked && asked.refusedAt === null) return
    const row = { requested_at: isoAfter(services.clock), refused_at: null, reason: null }
    await transaction
      .insertInto('erasure_requests')
      .values({ message_id: id, ...row })
      .onConflict(conflict => conflict.column('message_id').doUpdateSet(row))
      .execute()
    await wakeForVisitor(services, transaction, message, { action: 'erasure-asked', of: id })
  })
}

/** The request of one of these messages: one that nobody has decided, or else the last one. */
export async function readErasureRequest(
  db: Database,
  messageIds: readonly string[],
): Promise<ErasureRequest | null> {
  const rows = await db
    .selectFrom('erasure_requests')
    .innerJoin('messages', 'messages.id', 'erasure_requests.message_id')
    .select(['message_id', 'email', 'requested_at', 'refused_at', 'reason'])
    .where('message_id', 'in', messageIds)
    .orderBy('requested_at', 'desc')
    .execute()
  const row = rows.find(({ refused_at }) => refused_at === null) ?? rows[0]
  if (!row) return null
  const { message_id: messageId, email, requested_at: requestedAt, refused_at: refusedAt, reason } = row
  return { messageId, email, requestedAt, refusedAt, reason }
}

/** Erases everything that came from an address. The certificate is emailed, and stored nowhere. */
export async function eraseVisitor(
  services: Services,
  email: string,
  { assertMay }: { readonly assertMay?: (transaction: Database) => Promise<void> } = {},
): Promise<Certificate> {
  const reference = newReference().replace('LF', 'ER')
  // Neither is to be looked up for an address that is no longer known.
  const isEmailable = await canReach(services.db, services.clock, services.keys, email)
  const done = await erasePerson(services, email, reference, {
    isServing: true,
    ...(assertMay && { assertMay }),
  })
  const { when, messages: enquiries, emails, attachments: files, mentions } = done
  const { erased: texts } = services.textsFor(DEFAULT_LANGUAGE).status
  const kept = [
    ...[texts.backups, texts.mailbox],
    ...(services.config.databaseUrl === null ? [] : [texts.database]),
  ]
  const certificate = { reference, when, enquiries, emails, files, mentions, kept }
  return { ...certificate, isEmailed: isEmailable && (await emailCertificate(services, email, certificate)) }
}

/** The message of a request that nobody has decided. @throws {HttpError} 404, 409 */
async function requireAsked(db: Database, id: string): Promise<MessageRow> {
  const message = (await lockMessage(db, id)) ?? throwHttpError(404, GONE)
  const asked = await readErasureRequest(db, [id])
  return asked && asked.refusedAt === null ? message : throwHttpError(409, NOT_ASKED)
}

/** Serves what an admin decides of a request. */
export function serveErasureRequests(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, erasureRequests.erase, async ({ id }) => {
    const { email } = await inTransaction(db, transaction => requireAsked(transaction, id))
    if (email === '') throwHttpError(409, NOT_ASKED)
    // Two admins may decide at the same time.
    const assertMay = async (transaction: Database) => void (await requireAsked(transaction, id))
    return { certificate: await eraseVisitor(services, email, { assertMay }) }
  })

  serve(router, erasureRequests.refuse, async ({ id, reason }, { user, log }) => {
    await inTransaction(db, async transaction => {
      const message = await requireAsked(transaction, id)
      const change = { refused_at: isoAfter(clock), reason }
      await transaction.updateTable('erasure_requests').set(change).where('message_id', '=', id).execute()
      const shownIn = message.merged_into ?? id
      await addEvent({ transaction, clock, byId: user.id }, shownIn, 'erasure-refused', { detail: reason })
      await emailRefusal(services, transaction, message, reason)
    })
    log('info', 'API', 'Erasure of a visitor refused', { messageId: id })
    return {}
  })
}
