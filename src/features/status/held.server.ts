import type { Database, MessageRow } from '../../database/tables.ts'
import { addressesIn, comparableAddress, partOfAddress } from '../../erasure/addresses.ts'
import { findMentions } from '../../erasure/mentions.ts'
import { withMerged } from '../../erasure/with-merged.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { DEFAULT_LANGUAGE, serviceLabels } from '../../i18n/texts.ts'
import type { Services } from '../../services.ts'
import { parseDetails } from '../inbox/messages/store.server.ts'
import type { Certificate } from '../privacy/contract.ts'
import { askErasure, eraseVisitor } from '../privacy/erasure-requests.server.ts'
import { EMAIL_KINDS, type Held } from './contract.ts'
import { endAccess } from './tokens.server.ts'
import { findConversation, readSaid } from './visible.server.ts'

/** All that is kept of an enquiry, as far as it is its visitor's. */
export async function readHeld(db: Database, message: MessageRow): Promise<Held> {
  const { ids } = await findConversation(db, message)
  const said = await readSaid(db, message)
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'created_at'])
    .where('message_id', 'in', ids)
    .where('kind', 'in', EMAIL_KINDS)
    .where('state', '=', 'sent')
    .orderBy('id')
    .execute()
  const { reference, name, email, phone, service, details, created_at: receivedAt } = message
  return {
    ...{ reference, receivedAt, name, email, phone, service: service && serviceLabels[service] },
    details: parseDetails(details),
    said,
    emails: emails.flatMap(({ kind: sent, created_at: createdAt }) => {
      const kind = EMAIL_KINDS.find(it => it === sent)
      return kind ? [{ kind, createdAt }] : []
    }),
  }
}

interface Erasable {
  /** Of all enquiries that would be erased: those of the same address. */
  readonly references: readonly string[]
  /** Whether staff have written or spoken to the address, so that an admin decides: it may be part of a client's file. */
  readonly isAnswered: boolean
}

/** What erasing the person of an enquiry means. What is merged into another conversation is answered there. */
export async function readErasable(db: Database, { email, reference }: MessageRow): Promise<Erasable> {
  if (email === '') return { references: [reference], isAnswered: true }
  const addresses = [...new Set([comparableAddress(email), email.toLowerCase()])]
  const own = await db
    .selectFrom('messages')
    .select(['id', 'reference', 'merged_into'])
    .where(eb => eb(eb.fn<string>('lower', ['email']), 'in', addresses))
    .orderBy('id')
    .execute()
  const ids = own.flatMap(({ id, merged_into }) => [id, ...(merged_into === null ? [] : [merged_into])])
  const answers = db.selectFrom('entries').select('id').where('kind', 'in', ['reply', 'call'])
  const answer = ids.length > 0 && (await answers.where('message_id', 'in', ids).limit(1).executeTakeFirst())
  return { references: own.map(each => each.reference), isAnswered: Boolean(answer) }
}

/**
 * Whether a conversation with somebody else, or what staff have written for everybody, names the person of an enquiry: erasing changes
 * that, too. It searches whole tables.
 */
async function isNamedElsewhere(db: Database, { id, email }: MessageRow): Promise<boolean> {
  const address = comparableAddress(email)
  const own = new Set(await withMerged(db, [id]))
  for await (const { message_id, sender, text } of findMentions(db, partOfAddress(email)))
    if (
      !(message_id !== null && own.has(message_id)) &&
      comparableAddress(sender ?? '') !== address &&
      addressesIn(text).some(named => comparableAddress(named) === address)
    )
      return true
  return false
}

/**
 * Erases an enquiry that nobody has answered, and leaves to an admin what may be part of somebody's file.
 * @returns null where an admin decides @throws {HttpError} 404, 409
 */
export async function eraseOrAsk(
  services: Services,
  message: MessageRow,
  access: string,
): Promise<Certificate | null> {
  const { isAnswered } = await readErasable(services.db, message)
  if (!isAnswered && !(await isNamedElsewhere(services.db, message)))
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
  message: MessageRow,
  access: string,
): Promise<Certificate> {
  const { erase, locked } = services.textsFor(DEFAULT_LANGUAGE).status
  if (!(await endAccess(services.db, access))) throwHttpError(404, locked)
  return await eraseVisitor(services, message.email, {
    // Somebody may have answered meanwhile.
    async assertMay(db) {
      if ((await readErasable(db, message)).isAnswered) throwHttpError(409, erase.answered)
    },
  })
}
