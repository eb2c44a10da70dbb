import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { countUpTo } from '../../database/count.ts'
import { isPostgres } from '../../database/engine.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, MessageRow, OutboxRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { ErasedList } from '../../erasure/erased-list.ts'
import {
  MAX_UNREAD_COUNTED,
  type Message,
  type MessageFilter,
  type MessagePage,
  type MessageQuery,
  type OpenMessage,
} from './contract.ts'
import { addEvent, readHistory } from './entries.server.ts'
import { findNext, findPage } from './list.server.ts'

/** Returns one page of messages, newest first. */
export async function listMessages(db: Database, query: MessageQuery): Promise<Omit<MessagePage, 'unread'>> {
  const { limit, cursor, ...filter } = query
  const { ids, next } = await findPage(db, filter, { from: cursor, towards: 'older' }, limit)
  if (ids.length === 0) return { messages: [], nextCursor: next }
  const { rows } = await selectMessages(db, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map(row => [row.id, toMessage(row)]))
  return { messages: ids.flatMap(id => byId.get(id) ?? []), nextCursor: next }
}

/** The ids are one JSON parameter, so that the SQL text is the same for any number of them. */
const selectMessages = prepare((db, value: Param<{ ids: string }>) => {
  const isOneOf = isPostgres(db)
    ? sql<SqlBool>`messages.id = any(array(select json_array_elements_text(cast(${value('ids')} as json))))`
    : sql<SqlBool>`messages.id in (select value from json_each(${value('ids')}))`
  return selectWithNotification(db).where(isOneOf)
})

/** A message, the error of its email, and the ids of its neighbours in the filtered list. */
export async function openMessage(
  db: Database,
  id: string,
  filter: MessageFilter,
): Promise<OpenMessage | undefined> {
  const row = await selectWithNotification(db).where('messages.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [newer, older, history] = await Promise.all([
    findNext(db, filter, { from: id, towards: 'newer' }),
    findNext(db, filter, { from: id, towards: 'older' }),
    readHistory(db, id),
  ])
  return {
    message: toMessage(row),
    deliveryError: row.letter === 'failed' ? row.letter_error : null,
    newer,
    older,
    ...history,
  }
}

function selectWithNotification(db: Database) {
  return (
    db
      .selectFrom('messages')
      .leftJoin('outbox as notice', join =>
        join.onRef('notice.message_id', '=', 'messages.id').on('notice.kind', '=', 'notice'),
      )
      .leftJoin('digest_items as gathered', 'gathered.message_id', 'messages.id')
      .leftJoin('outbox as digest', 'digest.id', 'gathered.email_id')
      // Named one by one: PostgreSQL rejects a prepared `select *` after a newer node has added a column.
      .select([
        'messages.id',
        'messages.reference',
        'messages.form_type',
        'messages.name',
        'messages.email',
        'messages.phone',
        'messages.service',
        'messages.message',
        'messages.details',
        'messages.is_read',
        'messages.verification',
        'messages.created_at',
      ])
      .select(eb => [
        eb.fn.coalesce('notice.state', 'digest.state', waitingForDigest).as('letter'),
        eb.fn.coalesce('notice.last_error', 'digest.last_error').as('letter_error'),
      ])
  )
}

/** A message that is assigned to a digest counts as waiting before the digest is written. */
const waitingForDigest = sql<
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

/** @returns whether the message exists. The history records who read it first. */
export async function markMessageRead(
  db: Database,
  clock: Clock,
  id: string,
  userId: string,
): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({ is_read: 1 })
      .where('id', '=', id)
      .where('is_read', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await addEvent(transaction, clock, id, userId, 'read')
    return numUpdatedRows > 0n || (await findMessage(transaction, id)) !== undefined
  })
}

/** Records that a message was forwarded: it has been dealt with, so it also counts as read. */
export async function recordForward(db: Database, clock: Clock, id: string, userId: string): Promise<void> {
  await inTransaction(db, async transaction => {
    await transaction.updateTable('messages').set({ is_read: 1 }).where('id', '=', id).execute()
    await addEvent(transaction, clock, id, userId, 'forwarded')
  })
}

/**
 * Deletes a message and the emails about it, and records its id so that a restore does not bring it back.
 * @returns whether the message existed.
 */
export async function deleteMessage(db: Database, erased: ErasedList, id: string): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    // Without this check, a request with a made-up id would add an entry to the list.
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
  const { form_type, is_read, created_at, letter_error: _, ...unchanged } = row
  const details = parseDetails(row.details)
  return { ...unchanged, details, formType: form_type, isRead: is_read === 1, createdAt: created_at }
}

/** @param stored the column `details` */
export function parseDetails(stored: string | null): Message['details'] {
  return stored === null ? {} : JSON.parse(stored)
}
