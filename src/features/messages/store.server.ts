import { sql } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import type { Database, MessageRow, OutboxRow } from '../../database/tables.ts'
import { type Message, type MessagePage, type MessageQuery, MOST_UNREAD_COUNTED } from './contract.ts'

/** One page, newest first. Each page begins where an index points, so the last costs what the first does. */
export async function listMessages(db: Database, query: MessageQuery): Promise<Omit<MessagePage, 'unread'>> {
  const { limit, cursor, formType, isRead } = query
  const rows = await db
    .selectFrom('messages')
    .leftJoin('outbox', 'outbox.message_id', 'messages.id')
    .selectAll('messages')
    .leftJoin('gathered_notices as gathered', 'gathered.message_id', 'messages.id')
    .leftJoin('outbox as digest', 'digest.id', 'gathered.letter_id')
    .select(eb => eb.fn.coalesce('outbox.state', 'digest.state', waitsForDigest).as('letter'))
    .$if(cursor !== undefined, select => select.where('messages.id', '<', cursor ?? ''))
    .$if(formType !== undefined, select => select.where('messages.form_type', '=', formType ?? 'contact'))
    .$if(isRead !== undefined, select => select.where('messages.is_read', '=', isRead === 'true' ? 1 : 0))
    .orderBy('messages.id', 'desc')
    // One more than asked for tells whether there is a next page.
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const nextCursor = rows.length > limit ? (page.at(-1)?.id ?? null) : null
  return { messages: page.map(toMessage), nextCursor }
}

/** A message that is to be told of in a letter with others has a letter in waiting before that is written. */
const waitsForDigest = sql<
  'waiting' | null
>`case when gathered.message_id is null then null else 'waiting' end`

export async function countUnread(db: Database): Promise<number> {
  return await countUpTo(
    db,
    db.selectFrom('messages').select('id').where('is_read', '=', 0).limit(MOST_UNREAD_COUNTED),
  )
}

export async function findMessage(db: Database, id: string): Promise<MessageRow | undefined> {
  return await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @returns whether there is such a message. */
export async function markMessageRead(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ is_read: 1 })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The message and its letters are gone afterwards. @returns whether there was such a message. */
export async function deleteMessage(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('messages').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

function toMessage(row: MessageRow & { letter: OutboxRow['state'] | null }): Message {
  const { form_type, is_read, created_at, ...same } = row
  return { ...same, formType: form_type, isRead: is_read === 1, createdAt: created_at }
}
