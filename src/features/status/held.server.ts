import type { Database, MessageRow } from '../../database/tables.ts'
import { comparableAddress } from '../../erasure/addresses.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { DEFAULT_LANGUAGE, serviceLabels } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import { newReference } from '../enquiry-form/reference.server.ts'
import { parseDetails } from '../inbox/messages/store.server.ts'
import { erasePerson } from '../privacy/erase.server.ts'
import { askErasure } from '../privacy/erasure-requests.server.ts'
import type { Certificate, Held } from './contract.ts'
import { endAccess } from './tokens.server.ts'
import { findConversation, readSaid } from './visible.server.ts'

/** All that is kept of an enquiry, as far as it is its visitor's. */
export async function readHeld(db: Database, message: MessageRow): Promise<Held> {
  const { ids } = await findConversation(db, message)
  const said = await readSaid(db, message)
  const shown = said.map(({ id }) => id)
  const files = await db
    .selectFrom('attachments')
    .select(['name', 'size', 'created_at'])
    .where('message_id', 'in', ids)
    .where('entry_id', 'in', shown)
    .where('kind', '=', 'file')
    .orderBy('id')
    .execute()
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'state', 'created_at'])
    .where('message_id', 'in', ids)
    .where('kind', 'in', ['reply', 'acknowledgement', 'visitor'])
    .where('state', '=', 'sent')
    .orderBy('id')
    .execute()
  const { reference, name, email, phone, service, details, created_at: receivedAt } = message
  return {
    ...{ reference, receivedAt, name, email, phone, service: service && serviceLabels[service] },
    details: parseDetails(details),
    said,
    files: files.map(({ created_at: createdAt, ...file }) => ({ ...file, createdAt })),
    emails: emails.map(({ created_at: createdAt, ...sent }) => ({ ...sent, createdAt })),
  }
}

/**
 * Whether staff have written or spoken to this address: then its enquiries may be part of a client's file. What is merged into another
 * conversation is answered there.
 */
export async function isAnswered(db: Database, email: string): Promise<boolean> {
  const address = comparableAddress(email)
  const own = await db
    .selectFrom('messages')
    .select(['id', 'email', 'merged_into'])
    .where(eb => eb(eb.fn<string>('lower', ['email']), 'in', [...new Set([address, email.toLowerCase()])]))
    .execute()
  const ids = own.flatMap(({ id, merged_into }) => [id, ...(merged_into === null ? [] : [merged_into])])
  if (ids.length === 0) return false
  const answers = db.selectFrom('entries').select('id').where('message_id', 'in', ids)
  return (await answers.where('kind', 'in', ['reply', 'call']).limit(1).execute()).length > 0
}

/** Erases an enquiry that nobody has answered, and leaves the others to an admin. @returns null for those @throws {HttpError} 404, 409 */
export async function eraseOrAsk(
  services: Services,
  message: MessageRow,
  access: string,
): Promise<Certificate | null> {
  if (message.email !== '' && !(await isAnswered(services.db, message.email)))
    return await eraseUnanswered(services, message, access)
  await askErasure(services, message)
  return null
}

/**
 * Erases everything that came from the address of an enquiry, for the holder of this access, whose last act it is.
 * @throws {HttpError} 404; 409 once somebody has answered it
 */
async function eraseUnanswered(
  services: Services,
  { email }: MessageRow,
  access: string,
): Promise<Certificate> {
  const { erase, erased: texts, locked } = services.textsFor(DEFAULT_LANGUAGE).status
  const assertUnanswered = async (db: Database) => {
    if (email === '' || (await isAnswered(db, email))) throwHttpError(409, erase.answered)
  }
  await assertUnanswered(services.db)
  if (!(await endAccess(services.db, access))) throwHttpError(404, locked)
  const reference = newReference().replace('LF', 'ER')
  const erased = await erasePerson(services, email, reference, {
    isServing: true,
    assertMay: assertUnanswered,
  })
  const { when, messages, emails, attachments, mentions } = erased
  const isPostgres = services.config.databaseUrl !== null
  return {
    ...{ reference, when, enquiries: messages, emails, files: attachments, mentions },
    kept: [texts.backups, texts.mailbox, ...(isPostgres ? [texts.database] : [])],
  }
}
