import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import type { EntryRow } from '../../../database/conversation-tables.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import { lock } from '../../../database/locks.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import type { HandlerContext } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { keyFromHeader, replyOnce } from '../../../http/idempotency.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { type Clock, hours, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { Message } from '../contract.ts'
import type { MessageEvent } from './entry-words.ts'

/** What is done to messages in one transaction. */
export interface Work {
  readonly transaction: Transaction
  readonly clock: Clock
  /** Who does it; null for what nobody did. */
  readonly byId: string | null
}

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
  throwHttpError(409, 'Somebody else has changed this enquiry', { code: 'message_changed', fields })
}

/**
 * Reads a message that somebody is about to work on. What is merged into another one is worked on there.
 * @throws {HttpError} 404, 409
 */
export async function lockForWork(transaction: Database, id: string): Promise<MessageRow> {
  const message = (await lockMessage(transaction, id)) ?? throwHttpError(404, 'This enquiry no longer exists')
  if (message.merged_into !== null)
    throwHttpError(409, 'This enquiry is merged into another', {
      code: 'merged',
      fields: { mergedInto: message.merged_into },
    })
  return message
}

/** Reads a message and the one that it is merged into, both locked. */
export async function lockThread(transaction: Database, id: string) {
  await lock(transaction, 'conversations')
  const message = await lockMessage(transaction, id)
  const target = message?.merged_into ? await lockMessage(transaction, message.merged_into) : undefined
  return { message, target }
}

/** Entries of a message after which nobody writes more: far more than people say to each other. */
export const MAX_WRITTEN = 3000
/** Entries after which nobody changes it either: what has reached the first limit can still be closed. */
export const MAX_ENTRIES = 4000
/** Bytes of all that is said in one conversation. The reply clock, erasure and exports read all of it. */
export const MAX_SAID = 8 * 1024 * 1024
/** So many entries are less than that, however long each is. */
export const FEW = 100

const FULL =
  'This conversation holds as much as one can. It stays readable, but go on in another enquiry of this person.'

/** Refuses what would make a locked message grow without end. @param body what is to be added @throws {HttpError} 409 */
export async function assertRoom(transaction: Database, messageId: string, body: string): Promise<void> {
  if ((await nextSeq(transaction, messageId)) <= FEW) return
  const { count, bytes } = await measure(transaction, [messageId])
  if (count >= MAX_WRITTEN || bytes + Buffer.byteLength(body) > MAX_SAID) throwFull()
}

/** @throws {HttpError} always */
export function throwFull(): never {
  throwHttpError(409, FULL, { code: 'conversation_full' })
}

/** Whether messages have more entries, or more that was said, than one conversation. */
export async function areFull(db: Database, messageIds: readonly string[]): Promise<boolean> {
  const { count, bytes } = await measure(db, messageIds)
  return count > MAX_WRITTEN || bytes > MAX_SAID
}

/** Neither database reads a text for its length. */
async function measure(db: Database, messageIds: readonly string[]) {
  const { count, bytes } = await db
    .selectFrom('entries')
    .select(eb => eb.fn.countAll().as('count'))
    .select(sql<number | string | null>`sum(octet_length(body))`.as('bytes'))
    .where('message_id', 'in', messageIds)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

type Statuses = Pick<EntryRow, 'status_before' | 'status_after'>
type NewEntry = Pick<EntryRow, 'kind' | 'author_id' | 'body'> &
  Partial<Omit<EntryRow, 'message_id' | 'action'>> & { readonly action?: MessageEvent }

/** What an event says beside its action: a new value, or the id of the colleague whom it concerns. */
export type EventFields = Partial<Pick<EntryRow, 'id' | 'detail'> & Statuses>

/**
 * Adds an entry to the history of a message that is locked. Open screens hear of it.
 * @throws {HttpError} 409 for what somebody does in a conversation that is full
 */
export async function addEntry({ transaction, clock }: Work, messageId: string, entry: NewEntry) {
  const seq = entry.seq ?? (await nextSeq(transaction, messageId))
  // That a reply was not sent is nobody's doing.
  const isDone = entry.author_id !== null && entry.action !== 'reply-unsent'
  if (seq > MAX_ENTRIES && isDone) throwFull()
  const row = {
    id: newId(clock()),
    message_id: messageId,
    seq,
    ...{ action: null, status_before: null, status_after: null, detail: null, cc: null },
    ...{ call_direction: null, call_outcome: null, call_minutes: null },
    created_at: isoAfter(clock),
    ...entry,
  }
  await transaction.insertInto('entries').values(row).execute()
  recordChange(transaction, clock, messageId)
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

/** Adds an event to the history of a message that is locked, in the transaction of the change that it records. */
export async function addEvent(
  work: Work,
  messageId: string,
  action: MessageEvent,
  fields: EventFields = {},
) {
  const event = { kind: 'event', author_id: work.byId, action, body: action, ...fields } as const
  await addEntry(work, messageId, event)
}

/** Adds the same event to the histories of messages that are locked. */
export async function addEvents(
  { transaction, clock, byId }: Work,
  messageIds: readonly string[],
  action: MessageEvent,
  detail: string,
): Promise<void> {
  if (messageIds.length === 0) return
  const seqs = await transaction
    .selectFrom('entries')
    .select(eb => ['message_id', eb.fn.max('seq').as('seq')])
    .where('message_id', 'in', messageIds)
    .groupBy('message_id')
    .execute()
  const last = new Map(seqs.map(({ message_id, seq }) => [message_id, seq]))
  const event = { kind: 'event', author_id: byId, action, body: action, detail } as const
  const rows = messageIds.map(message_id => {
    const seq = (last.get(message_id) ?? 0) + 1
    return { ...event, id: newId(clock()), message_id, seq, created_at: isoAfter(clock) }
  })
  await transaction.insertInto('entries').values(rows).execute()
  for (const id of messageIds) recordChange(transaction, clock, id)
}

/** Leaves out the phone calls that reached nobody: they answer nobody. Those from before say nothing about it. */
export function reached(column: string) {
  return sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} = 'reached')`
}

/** Records that somebody has said something, as `raiseVersion` does. Who answers has read the message. */
export async function recordActivity({ transaction, clock }: Omit<Work, 'byId'>, messageId: string) {
  await transaction
    .updateTable('messages')
    .set(eb => ({ last_activity_at: isoAfter(clock), is_read: 1, version: eb('version', '+', 1) }))
    .where('id', '=', messageId)
    .execute()
}

type Versioned = Pick<MessageRow, 'id' | 'version'>

/**
 * Records that somebody has worked on a message that is locked: who saw it before that must not delete it, nor change it with
 * others. @returns its version
 */
export async function raiseVersion(transaction: Transaction, { id, version }: Versioned): Promise<number> {
  const raised = version + 1
  await transaction.updateTable('messages').set({ version: raised }).where('id', '=', id).execute()
  return raised
}

/** The time of what was said last. An index has exactly this expression. */
export const lastActivity = sql<string>`coalesce(last_activity_at, created_at)`

/** Nobody writes one every twelve seconds; a token that does fills conversations that colleagues have to read. */
export const ADDITIONS_PER_USER = { name: 'notes and calls', count: 300, per: hours(1) }

interface Addition {
  readonly kind: 'note' | 'call'
  /** The message it is about, and what was written. */
  readonly input: { readonly id: string; readonly body: string }
  /** What else distinguishes it; empty where there is nothing else, so that keys of an earlier release stay valid. */
  readonly facts?: readonly unknown[]
}

type Caller = Pick<HandlerContext<'signed-in'>, 'user' | 'header'>

/** The stored reply of a repeat: no text, so that a note stays in its table and is erased with it. */
const Added = z.object({ id: z.string(), version: z.optional(z.number()) })

/**
 * Adds what somebody has written about a message, once for each idempotency key. @returns the id of what is added, and the
 * version of the message @throws {HttpError} 404; 409; 422 for a key that was used for another text; 429
 */
export async function addOnce(
  { db, clock, rateLimiter }: Pick<Services, 'db' | 'clock' | 'rateLimiter'>,
  { kind, input: { id, body }, facts = [] }: Addition,
  { user, header }: Caller,
  add: (work: Work, addedId: string, message: MessageRow) => Promise<void>,
): Promise<z.output<typeof Added>> {
  const content = JSON.stringify([id, body, ...facts])
  const key = keyFromHeader(`${kind} ${user.id}`, header('idempotency-key'), content)
  return await replyOnce({ db, clock }, key, Added, async attempt =>
    inTransaction(db, async transaction => {
      const message = await lockForWork(transaction, id)
      const added = { id: newId(clock()), version: message.version + 1 }
      await attempt.storeReply(transaction, added)
      await rateLimiter.consumeInTransaction(transaction, [ADDITIONS_PER_USER], user.id)
      await recordActivity({ transaction, clock }, id)
      await add({ transaction, clock, byId: user.id }, added.id, message)
      return added
    }),
  )
}
