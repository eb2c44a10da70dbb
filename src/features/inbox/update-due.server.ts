import { sql } from 'kysely'
import { type Office, officeOf } from '../../content/office.ts'
import type { ContentStore } from '../../content/store.server.ts'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { describeError, type Log } from '../../log/logger.ts'
import { conversationDue, type Enquiry, type Histories } from './conversation-due.ts'
import type { ClockEvent } from './due-at.ts'
import { reached } from './entries.server.ts'

/**
 * Works out when the answer to a locked message is due, after something that may change it. What is merged into it counts. A
 * message from before there were office hours stays without. @param failed a reply that is about to be recorded as failed
 */
export async function updateDue(
  transaction: Transaction,
  content: Pick<ContentStore, 'read'>,
  id: string,
  failed: string | null = null,
): Promise<void> {
  await store(transaction, officeOf(content.read().site), [id], failed)
}

async function store(
  transaction: Transaction,
  office: Office,
  ids: readonly string[],
  failed: string | null,
) {
  const parts = await listParts(transaction, ids)
  const histories = await readHistories(transaction, parts, failed)
  for (const { id, status, due_rule } of parts.filter(part => ids.includes(part.id))) {
    const own = parts.filter(part => part.id === id || part.merged_into === id)
    const enquiries = own.filter(part => part.due_rule !== null)
    const due_at = conversationDue(office, status, enquiries, pick(histories, own))
    const change = { due_at, due_rule: due_rule === null ? null : office.key }
    await transaction.updateTable('messages').set(change).where('id', '=', id).execute()
  }
}

/** These messages and those that are merged into them. */
async function listParts(transaction: Transaction, ids: readonly string[]) {
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

async function readHistories(
  transaction: Transaction,
  parts: readonly Enquiry[],
  failed: string | null,
): Promise<Histories> {
  if (parts.length === 0) return new Map()
  const found = await transaction
    .selectFrom('entries')
    .leftJoin('outbox', join => join.onRef('outbox.id', '=', 'entries.id').on('entries.kind', '=', 'reply'))
    .select(['entries.id', 'entries.message_id', 'entries.kind', 'entries.detail'])
    // What was said, which may be megabytes, does not matter for a clock.
    .select(sql<string>`case entries.kind when 'event' then entries.body else '' end`.as('body'))
    .select(['entries.created_at', 'outbox.state'])
    .where(
      'entries.message_id',
      'in',
      parts.map(({ id }) => id),
    )
    .where(eb => eb.or([eb('entries.kind', '!=', 'event'), eb('entries.body', 'in', DECISIVE)]))
    .where(reached('entries.call_outcome'))
    .orderBy('entries.message_id')
    .orderBy('entries.seq')
    .execute()
  const histories = new Map<string, ClockEvent[]>(parts.map(({ id }) => [id, []]))
  for (const { id, message_id, state, ...entry } of found)
    histories.get(message_id)?.push({ ...entry, isFailed: state === 'failed' || id === failed })
  return histories
}

const DECISIVE = ['status', 'snoozed', 'unsnoozed', 'reply-failed', 'merged-into'] as const

/** Messages of one transaction, so that it takes a few milliseconds and nobody waits for it. */
const CHUNK_SIZE = 50

interface Recomputing {
  readonly db: Database
  readonly content: Pick<ContentStore, 'read'>
  readonly log: Log
}

/**
 * Works out again when answers are due, for the open messages whose time follows from other office hours than those that
 * are live. Each message says by which hours its time was worked out, so that nothing is lost when the process ends, and
 * several nodes can share the work.
 */
export async function recomputeDue(
  { db, content, log }: Recomputing,
  isStopped: () => boolean,
): Promise<void> {
  try {
    let changed = CHUNK_SIZE
    while (changed > 0 && !isStopped())
      changed = await inTransaction(db, async transaction => {
        const office = officeOf(content.read().site)
        const ids = await listOutdated(transaction, office.key)
        if (ids.length > 0) await store(transaction, office, ids, null)
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
