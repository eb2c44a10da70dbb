import { type SqlBool, sql } from 'kysely'
import { deleteAttachments } from '../attachments/store.server.ts'
import type { EntryRow, MessageStatus } from '../database/conversation-tables.ts'
import { isPostgres } from '../database/engine.ts'
import { newId } from '../database/id.ts'
import type { Database, MessageRow } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { recordChange } from '../live/record-change.server.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { inBatches } from './in-pages.ts'

/** The events of which the last one says what status a merged message would have by itself. */
export const STATUS_OF_MERGED = ['merged-into', 'status', 'reply-failed'] as const

/** Another message is merged into this one, or this one into the other, and they have different email addresses. */
export type Apart = Pick<MessageRow, 'id' | 'reference' | 'name' | 'email'>

/**
 * These messages and those that are merged into them and came from the same address, which are deleted together: staff see
 * one conversation. What came from another address may be another person's, so nothing takes it along: decision 051.
 */
export async function withMerged(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const merged = db
    .selectFrom('messages')
    .innerJoin('messages as kept', 'kept.id', 'messages.merged_into')
    .select('messages.id')
    .where('messages.merged_into', 'in', ids)
    .where('messages.merged_into', 'is not', null)
  const rows = await merged.where(haveSameAddress).execute()
  return [...new Set([...ids, ...rows.map(({ id }) => id)])]
}

/** Without an address, nobody is known to be the same person. */
const haveSameAddress = sql<SqlBool>`lower(messages.email) = lower(kept.email) and messages.email <> ''`

/** Messages merged with these that are not in the list because they came from another address. */
export async function findApart(db: Database, ids: readonly string[]): Promise<Apart[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'reference', 'name', 'email'])
    .where(eb => {
      const isMerged = eb.and([eb('merged_into', 'in', ids), eb('merged_into', 'is not', null)])
      const kept = eb.selectFrom('messages as own').select('own.merged_into').where('own.id', 'in', ids)
      return eb.or([isMerged, eb('id', 'in', kept.where('own.merged_into', 'is not', null))])
    })
    .orderBy('id')
    .execute()
  return rows.filter(({ id }) => !ids.includes(id))
}

/** The status of a merged message by itself: that from before the merge, unless its reply has failed or was taken back since. */
export async function statusOfMerged(db: Database, id: string): Promise<MessageStatus> {
  const last = await db
    .selectFrom('entries')
    .select(['action', 'status_before', 'status_after'])
    .where('message_id', '=', id)
    .where('action', 'in', STATUS_OF_MERGED)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return statusByItself(last)
}

/** @param last the last event of `STATUS_OF_MERGED`. A reply that fails opens its message. */
export function statusByItself(
  last: Pick<EntryRow, 'action' | 'status_before' | 'status_after'> | undefined,
): MessageStatus {
  return (last?.action === 'merged-into' ? last.status_before : last?.status_after) ?? 'open'
}

/**
 * Deletes messages with their attachments and the emails about them, and what emails about others that are not sent yet quote of
 * them. What is merged into them and stays is a message of its own again.
 */
export async function deleteMessages(transaction: Transaction, clock: Clock, ids: readonly string[]) {
  if (ids.length === 0) return
  await separateMerged(transaction, clock, ids)
  await deleteAttachments(transaction, { by: 'message_id', ids })
  await transaction.deleteFrom('messages').where('id', 'in', ids).execute()
  // Now nobody can begin to quote them.
  for (const some of inBatches(ids, QUOTES_AT_ONCE)) await deleteQuotes(transaction, some)
}

/** Messages that are looked for in each email at a time. */
const QUOTES_AT_ONCE = 50

/** A reply quotes what was merged into its message once, and may be a message of its own since. */
async function deleteQuotes(transaction: Transaction, ids: readonly string[]): Promise<void> {
  const replies = transaction.selectFrom('outbox').select(['id', 'email']).where('kind', '=', 'reply')
  const quoting = replies
    .where('state', 'in', ['waiting', 'failed'])
    // As JSON has it; within a text, its quotation marks would be escaped.
    .where(eb => eb.or(ids.map(id => eb('email', 'like', `%"quoted":{"of":"${id}"%`))))
    .$if(isPostgres(transaction), query => query.forUpdate())
  for (const { id, email } of await quoting.execute()) {
    const { quoted: _, ...rest } = JSON.parse(email)
    await transaction
      .updateTable('outbox')
      .set({ email: JSON.stringify(rest) })
      .where('id', '=', id)
      .execute()
  }
}

/**
 * Before messages are deleted: what is merged into them and stays is a message of its own again, with the status from
 * before the merge. The reply clocks of those, and of what the deleted ones are merged into, are worked out within a minute.
 */
async function separateMerged(transaction: Transaction, clock: Clock, ids: readonly string[]): Promise<void> {
  const deleted = new Set(ids)
  const messages = transaction.selectFrom('messages').select(['id', 'merged_into'])
  const merged = messages.where('merged_into', 'in', ids).where('merged_into', 'is not', null)
  const staying = (await merged.execute()).filter(({ id }) => !deleted.has(id))
  for (const { id } of staying) await separate(transaction, clock, id)
  const kept = (await messages.where('id', 'in', ids).execute()).flatMap(row => row.merged_into ?? [])
  await outdateDue(transaction, [...kept, ...staying.map(({ id }) => id)])
}

async function separate(transaction: Transaction, clock: Clock, id: string) {
  const status = await statusOfMerged(transaction, id)
  const now = isoAfter(clock)
  await transaction
    .updateTable('messages')
    .set(eb => ({ merged_into: null, status, status_since: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  const last = transaction.selectFrom('entries').select(eb => eb.fn.max('seq').as('seq'))
  const { seq } = (await last.where('message_id', '=', id).executeTakeFirst()) ?? {}
  const event = { kind: 'event', action: 'separated', body: 'separated', author_id: null } as const
  const statuses = { status_before: 'closed', status_after: status } as const
  await transaction
    .insertInto('entries')
    .values({
      ...event,
      ...statuses,
      id: newId(clock()),
      message_id: id,
      seq: (seq ?? 0) + 1,
      created_at: now,
    })
    .execute()
  recordChange(transaction, clock, id)
}

async function outdateDue(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const due_rule = sql<string | null>`case when due_rule is null then null else '' end`
  await transaction.updateTable('messages').set({ due_at: null, due_rule }).where('id', 'in', ids).execute()
}

/** Where the conversation of one message says that another was merged into it, or taken out of it again. @param from the id of the first @returns their ids */
export async function findMergeEvents(db: Database, references: readonly string[], from = '') {
  const found: string[] = []
  for (const some of inBatches(references)) {
    const events = db.selectFrom('entries').select('id')
    const rows = await events
      .where('action', 'in', ['merged', 'unmerged'])
      .where('id', '>=', from)
      .where('detail', 'in', some)
      .execute()
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

export async function deleteMergeEvents(transaction: Database, ids: readonly string[]): Promise<void> {
  for (const some of inBatches(ids)) await transaction.deleteFrom('entries').where('id', 'in', some).execute()
}
