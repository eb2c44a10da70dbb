import { type Clock, isoAfter } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import type { Entry, MessageEvent } from './contract.ts'

/**
 * Adds an event to the history of a message, in the transaction of the change that it records. Does nothing when the
 * message no longer exists.
 */
export async function addEvent(
  transaction: Database,
  clock: Clock,
  messageId: string,
  authorId: string,
  event: MessageEvent,
): Promise<void> {
  const message = await transaction
    .selectFrom('messages')
    .select('id')
    .where('id', '=', messageId)
    // Those who add an entry at the same time wait, so that each gets the next number. SQLite has one writer.
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
  if (!message) return
  const last = await transaction
    .selectFrom('entries')
    .select(eb => eb.fn.max('seq').as('seq'))
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  const seq = (last?.seq ?? 0) + 1
  const row = { id: newId(clock()), message_id: messageId, seq, created_at: isoAfter(clock) }
  await transaction
    .insertInto('entries')
    .values({ ...row, kind: 'event', author_id: authorId, body: event })
    .execute()
}

/** The history of a message, oldest first. Only what the visitor and staff say to each other moves `lastSeq`. */
export async function readHistory(
  db: Database,
  messageId: string,
): Promise<{ entries: Entry[]; lastSeq: number }> {
  const rows = await db
    .selectFrom('entries')
    .leftJoin('users', 'users.id', 'entries.author_id')
    .select(['entries.id', 'seq', 'kind', 'author_id', 'users.name', 'body', 'entries.created_at'])
    .where('message_id', '=', messageId)
    .orderBy('seq')
    .execute()
  const entries = rows.map(({ author_id, name, created_at, ...same }) => ({
    ...same,
    author: author_id !== null && name !== null ? { id: author_id, name } : null,
    createdAt: created_at,
    delivery: null,
  }))
  return { entries, lastSeq: entries.findLast(({ kind }) => kind !== 'event')?.seq ?? 0 }
}
