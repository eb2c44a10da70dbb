import { type SqlBool, sql } from 'kysely'
import { countUpTo } from '../../database/count.ts'
import { isPostgres } from '../../database/engine.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, MessageRow, OutboxRow } from '../../database/tables.ts'
import type { ErasedList } from '../../erasure/erased-list.ts'
import {
  MAX_UNREAD_COUNTED,
  type Message,
  type MessageFilter,
  type MessagePage,
  type MessageQuery,
  type OpenMessage,
} from './contract.ts'
import { findNext, findPage } from './list.server.ts'

/** One page, newest first. */
export async function listMessages(db: Database, query: MessageQuery): Promise<Omit<MessagePage, 'unread'>> {
  const { limit, cursor, ...filter } = query
  const { ids, next } = await findPage(db, filter, { from: cursor, towards: 'older' }, limit)
  if (ids.length === 0) return { messages: [], nextCursor: next }
  const { rows } = await selectMessages(db, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map(row => [row.id, toMessage(row)]))
  return { messages: ids.flatMap(id => byId.get(id) ?? []), nextCursor: next }
}

/** The ids come as one JSON list, so that the text is the same however many there are. */
const selectMessages = prepare((db, value: Param<{ ids: string }>) => {
  const isOneOf = isPostgres(db)
    ? sql<SqlBool>`messages.id = any(array(select json_array_elements_text(cast(${value('ids')} as json))))`
    : sql<SqlBool>`messages.id in (select value from json_each(${value('ids')}))`
  return selectWithNotification(db).where(isOneOf)
})

/** A message, its letter, and the messages on either side of it in the list that the filter shows. */
export async function openMessage(
  db: Database,
  id: string,
  filter: MessageFilter,
): Promise<OpenMessage | undefined> {
  const row = await selectWithNotification(db).where('messages.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [newer, older] = await Promise.all(
    (['newer', 'older'] as const).map(towards => findNext(db, filter, { from: id, towards })),
  )
  return {
    message: toMessage(row),
    deliveryError: row.letter === 'failed' ? row.letter_error : null,
    newer: newer ?? null,
    older: older ?? null,
  }
}

function selectWithNotification(db: Database) {
  return (
    db
      .selectFrom('messages')
      .leftJoin('outbox', 'outbox.message_id', 'messages.id')
      .leftJoin('digest_items as gathered', 'gathered.message_id', 'messages.id')
      .leftJoin('outbox as digest', 'digest.id', 'gathered.email_id')
      // One by one: PostgreSQL refuses a prepared `select *` once a newer node has added a column.
      .select([
        'messages.id',
        'messages.reference',
        'messages.form_type',
        'messages.name',
        'messages.email',
        'messages.phone',
        'messages.service',
        'messages.message',
        'messages.is_read',
        'messages.verification',
        'messages.created_at',
      ])
      .select(eb => [
        eb.fn.coalesce('outbox.state', 'digest.state', waitsForDigest).as('letter'),
        eb.fn.coalesce('outbox.last_error', 'digest.last_error').as('letter_error'),
      ])
  )
}

/** A message that is to be told of in a letter with others has a letter in waiting before that is written. */
const waitsForDigest = sql<
  'waiting' | null
>`case when gathered.message_id is null then null else 'waiting' end`

export async function countUnread(db: Database): Promise<number> {
  return await countUpTo(
    db,
    db.selectFrom('messages').select('id').where('is_read', '=', 0).limit(MAX_UNREAD_COUNTED),
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

/**
 * The message and the emails about it are gone afterwards, and a restore does not bring them back.
 * @returns whether there was such a message.
 */
export async function deleteMessage(db: Database, erased: ErasedList, id: string): Promise<boolean> {
  return await db.transaction().execute(async transaction => {
    // Whoever asks for an id that there never was leaves no entry.
    if (!(await findMessage(transaction, id))) return false
    await erased.addMessages(transaction, [id])
    const { numDeletedRows } = await transaction
      .deleteFrom('messages')
      .where('id', '=', id)
      .executeTakeFirst()
    return numDeletedRows > 0n
  })
}

function toMessage(
  row: MessageRow & { letter: OutboxRow['state'] | null; letter_error: string | null },
): Message {
  const { form_type, is_read, created_at, letter_error: _, ...same } = row
  return { ...same, formType: form_type, isRead: is_read === 1, createdAt: created_at }
}
