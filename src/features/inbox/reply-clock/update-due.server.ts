import { sql } from 'kysely'
import { type Office, officeOf } from '../../../content/office/office.ts'
import { workingTimeBetween } from '../../../content/office/working-time.ts'
import { isPostgres } from '../../../database/engine.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { STATUS_OF_MERGED, statusByItself } from '../../../erasure/with-merged.ts'
import { describeError } from '../../../log/logger.ts'
import { weekIn, wholeMinutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { reached } from '../history/entries.server.ts'
import { updateMessage } from '../messages/store.server.ts'
import { type ClockEvent, dueAt } from './due-at.ts'

/**
 * Works out when the answer to a locked message is due, after something that may change it. What is merged into it counts. A
 * message from before there were office hours stays without. @param failed a reply that is about to be recorded as failed
 */
export async function updateDue({ transaction, content }: Work, id: string, failed = ''): Promise<void> {
  await store(transaction, officeOf(content.read().site), [id], failed)
}

type Work = Pick<Services, 'content'> & { readonly transaction: Database }

async function store(transaction: Database, office: Office, ids: readonly string[], failed = '') {
  const parts = await listParts(transaction, ids)
  const histories = await readHistories(transaction, parts, failed)
  for (const { id, status, due_rule } of parts.filter(part => ids.includes(part.id))) {
    const own = parts.filter(part => part.id === id || part.merged_into === id)
    const enquiries = own.filter(part => part.due_rule !== null)
    const due_at = conversationDue(office, status, enquiries, pick(histories, own))
    const change = { due_at, due_rule: due_rule === null ? null : office.key }
    await updateMessage(transaction, id, change)
  }
}

/** These messages and those that are merged into them. */
async function listParts(transaction: Database, ids: readonly string[]) {
  return await transaction
    .selectFrom('messages')
    .select(['id', 'status', 'created_at', 'due_rule', 'merged_into'])
    .where(eb => {
      const isMerged = eb.and([eb('merged_into', 'in', ids), eb('merged_into', 'is not', null)])
      return eb.or([eb('id', 'in', ids), isMerged])
    })
    .execute()
}

function pick(histories: Histories, parts: readonly Enquiry[]): Histories {
  return new Map(parts.map(({ id }) => [id, histories.get(id) ?? []]))
}

async function readHistories(transaction: Database, parts: readonly Enquiry[], failed: string) {
  const ids = parts.map(({ id }) => id)
  const histories = new Map<string, ClockEvent[]>(ids.map(id => [id, []]))
  if (ids.length === 0) return histories
  const found = await transaction
    .selectFrom('entries')
    .leftJoin('outbox', join => join.onRef('outbox.id', '=', 'entries.id').on('entries.kind', '=', 'reply'))
    // What was said, which may be megabytes, does not matter for a clock.
    .select(['entries.id', 'entries.message_id', 'entries.kind', 'entries.action', 'entries.detail'])
    .select(['entries.status_before', 'entries.status_after', 'entries.created_at', 'outbox.state'])
    .where('entries.message_id', 'in', ids)
    .where(eb => eb.or([eb('entries.kind', '!=', 'event'), eb('entries.action', 'in', DECISIVE)]))
    .where(reached('entries.call_outcome'))
    .orderBy('entries.message_id')
    .orderBy('entries.seq')
    .execute()
  for (const { id, message_id, state, ...entry } of found)
    histories.get(message_id)?.push({ ...entry, isFailed: state === 'failed' || id === failed })
  return histories
}

const DECISIVE = ['status', 'snoozed', 'unsnoozed', 'reply-failed', 'reply-unsent', 'merged-into'] as const

/** Messages of one transaction, so that it takes a few milliseconds and nobody waits for it. */
const CHUNK_SIZE = 50

/**
 * Works out again when answers are due, for the open messages whose time follows from other office hours than those that
 * are live. Each message says by which hours its time was worked out, so that nothing is lost when the process ends, and
 * several nodes can share the work.
 */
export async function recomputeDue({ db, content, log }: Services, isStopped: () => boolean): Promise<void> {
  try {
    let changed = CHUNK_SIZE
    while (changed > 0 && !isStopped())
      changed = await inTransaction(db, async transaction => {
        const office = officeOf(content.read().site)
        const ids = await listOutdated(transaction, office.key)
        if (ids.length > 0) await store(transaction, office, ids)
        return ids.length
      })
  } catch (error) {
    log('warning', 'API', 'Reply clocks not recomputed', describeError(error))
  }
}

/** Another node that does the same, or somebody who changes a message, has a row locked: it is passed over. */
async function listOutdated(transaction: Transaction, key: string): Promise<string[]> {
  for (const comparison of ['<', '>'] as const) {
    const rows = await transaction
      .selectFrom('messages')
      .select('id')
      .where(sql<boolean>`status = 'open' and due_rule is not null`)
      .where('due_rule', comparison, key)
      .orderBy('due_rule')
      .limit(CHUNK_SIZE)
      .$if(isPostgres(transaction), query => query.forUpdate().skipLocked())
      .execute()
    if (rows.length > 0) return rows.map(({ id }) => id)
  }
  return []
}

/** A message that has a reply clock. */
type Enquiry = Pick<MessageRow, 'id' | 'created_at' | 'merged_into'>
type Histories = ReadonlyMap<string, readonly ClockEvent[]>

/**
 * When the answer in a conversation is due: the earliest time of its enquiries, which are those of the message that is kept
 * and of what is merged into it. Each has a clock of its own. @param histories of the kept message and of what is merged
 */
function conversationDue(
  office: Office,
  status: MessageRow['status'],
  enquiries: readonly Enquiry[],
  histories: Histories,
): string | null {
  const waiting = enquiries.filter(
    ({ id, merged_into }) => merged_into === null || wasOpen(histories.get(id)),
  )
  const times = waiting.flatMap(({ id, created_at }) => {
    const history = [...histories].flatMap(([of, entries]) =>
      of === id ? entries : entries.filter(concerns({ id, created_at }, of, histories)),
    )
    const first = firstStatus(histories.get(id))
    return dueAt(office, { status, created_at }, histories.size > 1 ? inOrder(history) : history, first) ?? []
  })
  return times.sort()[0] ?? null
}

/** What came by mail before the mailbox was connected, and what a program wrote, begins as closed. */
function firstStatus(history: readonly ClockEvent[] = []): MessageRow['status'] {
  const change = history.find(({ status_before, status_after }) => status_before ?? status_after)
  return change?.status_before ?? 'open'
}

/** Whether somebody waited for an answer to a message when it was merged, or does since its reply failed or was taken back. */
function wasOpen(history: readonly ClockEvent[] = []): boolean {
  const last = history.findLast(({ action }) => STATUS_OF_MERGED.some(event => event === action))
  return statusByItself(last) === 'open'
}

/**
 * Whether an entry of another message of the conversation is one for this enquiry, too: an answer to what had come by then,
 * since the visitor is the same person, and all that happens after both are part of the conversation.
 */
function concerns(
  { id, created_at }: Pick<Enquiry, 'id' | 'created_at'>,
  other: string,
  histories: Histories,
) {
  const since = [mergedAt(histories.get(id)), mergedAt(histories.get(other))].sort().at(-1) ?? ''
  return (entry: ClockEvent) => {
    const isAnswer = entry.kind === 'reply' || entry.kind === 'call'
    return entry.created_at >= (isAnswer ? created_at : since)
  }
}

/** Empty for the message that is kept, which is part of the conversation from the beginning. */
function mergedAt(history: readonly ClockEvent[] = []): string {
  return history.findLast(({ action }) => action === 'merged-into')?.created_at ?? ''
}

const inOrder = (history: readonly ClockEvent[]) =>
  history.toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))

/**
 * Stores when a message got its first reply, by email or by phone, after one was added, taken back, given up or queued again.
 * Time is working time of the office by its present hours; what is stored does not change with later ones. Decision 047.
 * @param failedId a reply that is being given up
 */
export async function updateFirstReply(
  { transaction, content }: Work,
  { id, created_at }: Pick<MessageRow, 'id' | 'created_at'>,
  failedId = '',
): Promise<void> {
  const time = await findFirstReply(transaction, id, failedId)
  const office = officeOf(content.read().site)
  const taken = time && workingTimeBetween(office, new Date(created_at), time)
  await updateMessage(transaction, id, {
    first_reply_week: time && weekIn(time, office.timeZone),
    first_reply_minutes: taken === null ? null : wholeMinutes(taken),
  })
}

/** When the first reply that did not fail was written, or queued again. */
async function findFirstReply(db: Database, messageId: string, failedId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('entries')
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select(eb => eb.fn.min(eb.fn.coalesce('outbox.created_at', 'entries.created_at')).as('time'))
    .where('entries.message_id', '=', messageId)
    .where('entries.kind', 'in', ['reply', 'call'])
    .where(reached('entries.call_outcome'))
    .where('entries.id', '!=', failedId)
    .where(eb => eb(eb.fn.coalesce('outbox.state', eb.val('sent')), '!=', 'failed'))
    .executeTakeFirst()
  return row?.time ? new Date(row.time) : null
}
