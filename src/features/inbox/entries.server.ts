import { sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import type { EntryRow } from '../../database/conversation-tables.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import { lockConversations } from '../../database/lock-conversations.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { recordChange } from '../../live/record-change.server.ts'
import type { Message } from './contract.ts'
import type { MessageEvent } from './conversation-contract.ts'

/**
 * Reads a message that is about to change. Those who change one at the same time wait, so that each gets the next number
 * and sees what the other did. SQLite has one writer.
 */
export async function lockMessage(transaction: Database, id: string): Promise<MessageRow | undefined> {
  return await transaction
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
}

/** @param version what the message had when the caller saw it, if that matters */
export function isOutOfDate(version: number | undefined, message: Pick<MessageRow, 'version'>): boolean {
  return version !== undefined && version !== message.version
}

/** @throws {HttpError} always */
export function throwChanged(fields: { readonly current?: Message } = {}): never {
  throwHttpError(409, 'Somebody else has changed this message', { code: 'message_changed', fields })
}

/**
 * Reads a message that somebody is about to work on. What is merged into another one is worked on there.
 * @throws {HttpError} 404, 409
 */
export async function lockForWork(transaction: Database, id: string): Promise<MessageRow> {
  const message = (await lockMessage(transaction, id)) ?? throwHttpError(404, 'This message no longer exists')
  if (message.merged_into !== null)
    throwHttpError(409, 'This message is merged into another', {
      code: 'merged',
      fields: { mergedInto: message.merged_into },
    })
  return message
}

/** Reads a message and the one that it is merged into, both locked. */
export async function lockThread(
  transaction: Database,
  id: string,
): Promise<{ message: MessageRow | undefined; target: MessageRow | undefined }> {
  await lockConversations(transaction)
  const message = await lockMessage(transaction, id)
  const target = message?.merged_into ? await lockMessage(transaction, message.merged_into) : undefined
  return { message, target }
}

type NewEntry = Pick<EntryRow, 'kind' | 'author_id' | 'body'> &
  Partial<Pick<EntryRow, 'id' | 'seq' | 'detail' | 'cc'>>

/** Adds an entry to the history of a message that is locked. Open screens hear of it. */
export async function addEntry(
  transaction: Transaction,
  clock: Clock,
  messageId: string,
  entry: NewEntry,
): Promise<EntryRow> {
  const row = {
    id: newId(clock()),
    message_id: messageId,
    seq: entry.seq ?? (await nextSeq(transaction, messageId)),
    detail: null,
    cc: null,
    created_at: isoAfter(clock),
    ...entry,
  }
  await transaction.insertInto('entries').values(row).execute()
  recordChange(transaction, clock, messageId)
  return row
}

/** The number of the next entry of a message that is locked. */
export async function nextSeq(transaction: Database, messageId: string): Promise<number> {
  const last = await transaction
    .selectFrom('entries')
    .select(eb => eb.fn.max('seq').as('seq'))
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return (last?.seq ?? 0) + 1
}

/**
 * Adds an event to the history of a message, in the transaction of the change that it records. Does nothing when the
 * message no longer exists. @param detail the new value, or the id of the colleague whom it concerns
 */
export async function addEvent(
  transaction: Transaction,
  clock: Clock,
  messageId: string,
  authorId: string | null,
  event: MessageEvent,
  detail: string | null = null,
): Promise<void> {
  if (!(await lockMessage(transaction, messageId))) return
  await addEntry(transaction, clock, messageId, { kind: 'event', author_id: authorId, body: event, detail })
}

/** Adds the same event to the histories of messages that are locked. */
export async function addEvents(
  transaction: Transaction,
  clock: Clock,
  messageIds: readonly string[],
  author_id: string | null,
  body: MessageEvent,
): Promise<void> {
  if (messageIds.length === 0) return
  const seqs = await transaction
    .selectFrom('entries')
    .select(eb => ['message_id', eb.fn.max('seq').as('seq')])
    .where('message_id', 'in', messageIds)
    .groupBy('message_id')
    .execute()
  const last = new Map(seqs.map(({ message_id, seq }) => [message_id, seq]))
  const event = { kind: 'event', author_id, body, detail: null, cc: null } as const
  const rows = messageIds.map(message_id => {
    const seq = (last.get(message_id) ?? 0) + 1
    return { ...event, id: newId(clock()), message_id, seq, created_at: isoAfter(clock) }
  })
  await transaction.insertInto('entries').values(rows).execute()
  for (const id of messageIds) recordChange(transaction, clock, id)
}

/** Records that somebody has said something, as `raiseVersion` does. Who answers has read the message. */
export async function recordActivity(transaction: Database, clock: Clock, messageId: string): Promise<void> {
  await transaction
    .updateTable('messages')
    .set(eb => ({ last_activity_at: isoAfter(clock), is_read: 1, version: eb('version', '+', 1) }))
    .where('id', '=', messageId)
    .execute()
}

/**
 * Records that somebody has worked on a message that is locked: who saw it before that must not delete it, nor change it with
 * others. @returns its version
 */
export async function raiseVersion(
  transaction: Transaction,
  { id, version }: Pick<MessageRow, 'id' | 'version'>,
): Promise<number> {
  const raised = version + 1
  await transaction.updateTable('messages').set({ version: raised }).where('id', '=', id).execute()
  return raised
}

/** The time of what was said last. An index has exactly this expression. */
export const lastActivity = sql<string>`coalesce(last_activity_at, created_at)`
