import * as z from 'zod/mini'
import { canonicalEmail } from '../../../auth/staff-email.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { newReplyKey, replyKeysIn } from '../../../mail/reply-address.ts'
import { type Clock, isoAfter } from '../../../platform/clock.ts'
import { updateMessage } from '../messages/store.server.ts'
import type { MailAddress, ParsedMail } from './parsed-mail.ts'

/** Keys that one mail may name: one is usual. */
const MAX_KEYS = 20
/** People who have a part in one conversation. */
const MOST_PARTICIPANTS = 100

/** How a mail names a conversation: by the address that nobody else knows, or by a mail that it answers. */
interface Named {
  readonly id: string
  readonly by: 'key' | 'answer'
}

/** The message that a mail belongs to, by the conversation's address, then by what it answers; never by its subject. */
export async function findNamed(db: Database, mail: ParsedMail, ownHost: string): Promise<Named | null> {
  const keys = replyKeysIn(mail.sentTo).slice(0, MAX_KEYS)
  const byKey = keys.length > 0 ? await findByKey(db, keys, mail.from.address) : undefined
  if (byKey) return { id: byKey.id, by: 'key' }
  const answered = await findAnswered(db, mail.answers, ownHost)
  return answered === undefined ? null : { id: answered, by: 'answer' }
}

/** Of several, the one whose visitor has written, then one in which they have a part, then the one that is named first. */
async function findByKey(db: Database, keys: readonly string[], sender: string) {
  const messages = db.selectFrom('messages').select(['id', 'email', 'reply_key', 'merged_into'])
  const rows = await messages.where('reply_key', 'in', keys).where('reply_key', 'is not', null).execute()
  const found = keys.flatMap(key => rows.find(row => row.reply_key === key) ?? [])
  if (found.length < 2) return found[0]
  let ofOther: (typeof found)[number] | undefined
  for (const row of found) {
    const part = await partOf(db, { id: row.merged_into ?? row.id, email: row.email }, sender)
    if (part === 'visitor') return row
    if (part === 'other') ofOther ??= row
  }
  return ofOther ?? found[0]
}

/** @param mailIds the nearest first */
async function findAnswered(db: Database, mailIds: readonly string[], ownHost: string) {
  if (mailIds.length === 0) return
  const known = db.selectFrom('mail_ids').select(['mail_id', 'message_id']).where('mail_id', 'in', mailIds)
  const byMailId = new Map((await known.execute()).map(row => [row.mail_id, row.message_id]))
  const notices = await findNotices(db, mailIds, ownHost)
  for (const mailId of mailIds) {
    const found = byMailId.get(mailId) ?? notices.get(mailId)
    if (found) return found
  }
}

/** Of a forwarded message, with its id after that of the email. */
const OF_OUTBOX =
  /^<([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12})(?:\.[\da-f-]{36})?@([^<>@]+)>$/

/** The id of an email that got its Message-ID from it: a notice, a code, a link. */
export function outboxId(mailId: string, ownHost: string): string | null {
  const [, id = '', host = ''] = OF_OUTBOX.exec(mailId) ?? []
  return id !== '' && host.toLowerCase() === ownHost ? id : null
}

async function findNotices(db: Database, mailIds: readonly string[], ownHost: string) {
  const ids = new Map(
    mailIds.flatMap(mailId => {
      const id = outboxId(mailId, ownHost)
      return id ? [[id, mailId] as const] : []
    }),
  )
  if (ids.size === 0) return new Map<string, string>()
  const notices = db
    .selectFrom('outbox')
    .select(['id', 'message_id'])
    .where('id', 'in', [...ids.keys()])
  const rows = await notices.where('message_id', 'is not', null).execute()
  return new Map(
    rows.flatMap(({ id, message_id }) => (message_id ? [[ids.get(id) ?? '', message_id] as const] : [])),
  )
}

/** Two spellings of one address. */
export const isSame = (one: string, other: string) =>
  one !== '' && canonicalEmail(one) === canonicalEmail(other)

type Party = Pick<MessageRow, 'id' | 'email'>

/** What part an address has in a conversation, which may be several messages. Null: none. */
export async function partOf(
  db: Database,
  { id }: Party,
  address: string,
): Promise<'visitor' | 'other' | null> {
  if (address === '') return null
  const parts = await db
    .selectFrom('messages')
    .select(['id', 'email'])
    .where(eb =>
      eb.or([eb('id', '=', id), eb.and([eb('merged_into', '=', id), eb('merged_into', 'is not', null)])]),
    )
    .execute()
  if (parts.some(({ email }) => isSame(email, address))) return 'visitor'
  const ids = parts.map(part => part.id)
  const known = db.selectFrom('participants').select('address').where('message_id', 'in', ids)
  if (await known.where('address', '=', canonicalEmail(address)).executeTakeFirst()) return 'other'
  const copies = db.selectFrom('entries').select('cc').where('message_id', 'in', ids)
  const rows = await copies.where('kind', '=', 'reply').where('cc', 'is not', null).execute()
  const gotCopy = rows.some(({ cc }) =>
    Addresses.parse(JSON.parse(cc ?? '[]')).some(copy => isSame(copy, address)),
  )
  return gotCopy ? 'other' : null
}

const Addresses = z.array(z.string())

/** Gives those who are named in a participant's mail a part in the conversation: their mail is added to it, and nothing more. */
export async function addParticipants(
  transaction: Transaction,
  clock: Clock,
  messageId: string,
  people: readonly MailAddress[],
) {
  const { count } = await transaction
    .selectFrom('participants')
    .select(eb => eb.fn.countAll().as('count'))
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  const created_at = isoAfter(clock)
  const byAddress = new Map(people.map(({ name, address }) => [canonicalEmail(address), name]))
  const rows = [...byAddress]
    .filter(([address]) => !address.endsWith('@'))
    .slice(0, Math.max(0, MOST_PARTICIPANTS - Number(count)))
    .map(([address, name]) => ({ message_id: messageId, address, name, created_at }))
  if (rows.length === 0) return
  const insert = transaction.insertInto('participants').values(rows)
  await insert.onConflict(conflict => conflict.columns(['message_id', 'address']).doNothing()).execute()
}

/** The key in the address of a conversation, which it gets when it is first written to. */
export async function ensureReplyKey(
  transaction: Transaction,
  { id, reply_key }: Pick<MessageRow, 'id' | 'reply_key'>,
): Promise<string> {
  if (reply_key !== null) return reply_key
  const key = newReplyKey()
  await updateMessage(transaction, id, { reply_key: key })
  return key
}
