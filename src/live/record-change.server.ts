import { sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import { lock } from '../database/locks.ts'
import type { Database } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Clock, hours, isoAfter } from '../platform/clock.ts'

/** The PostgreSQL channel on which nodes hear that something has changed. */
export const CHANNEL = 'landfall_changes'
/** Longer than any browser is away that does not read everything again. */
const CHANGE_LIFETIME = hours(1)

type ChangeKind = 'changed' | 'deleted' | 'writing'

/** The changes of a transaction so far, by message id. */
const changesOf = new WeakMap<Transaction, Map<string, ChangeKind>>()

/** Lets every open screen know that a message has changed, once the transaction is stored. Holds no word of the change. */
export function recordChange(
  transaction: Transaction,
  clock: Clock,
  messageId: string,
  kind: ChangeKind = 'changed',
): void {
  const changes = changesOf.get(transaction) ?? new Map<string, ChangeKind>()
  if (!changesOf.has(transaction)) {
    changesOf.set(transaction, changes)
    transaction.beforeCommit(() => insertChanges(transaction, clock, changes))
  }
  if (changes.get(messageId) !== 'deleted') changes.set(messageId, kind)
}

/**
 * Comes last in its transaction, and one at a time: so ids have the order of the commits, and who has read up to an id has
 * missed none before it. PostgreSQL has such a lock for NOTIFY anyway. SQLite has one writer.
 */
async function insertChanges(
  transaction: Transaction,
  clock: Clock,
  changes: ReadonlyMap<string, ChangeKind>,
): Promise<void> {
  await lock(transaction, 'changes')
  const last = await lastChange(transaction)
  const created_at = isoAfter(clock)
  const rows = [...changes].map(([message_id, kind], at) => ({
    ...{ id: last + at + 1, message_id, kind, created_at },
  }))
  for (let start = 0; start < rows.length; start += AT_ONCE)
    await transaction
      .insertInto('changes')
      .values(rows.slice(start, start + AT_ONCE))
      .execute()
  if (isPostgres(transaction)) await sql`select pg_notify(${CHANNEL}, '')`.execute(transaction)
}

/** Both engines take far more values. */
const AT_ONCE = 500

/** The id of the last change; 0 before the first. */
export async function lastChange(db: Database): Promise<number> {
  const query = db.selectFrom('changes').select(eb => eb.fn.max('id').as('id'))
  return (await query.executeTakeFirst())?.id ?? 0
}

/** Keeps the last one, so that no id is used again. */
export async function deleteOldChanges(db: Database, clock: Clock): Promise<void> {
  await db
    .deleteFrom('changes')
    .where('created_at', '<', isoAfter(clock, -CHANGE_LIFETIME))
    .where('id', '<', await lastChange(db))
    .execute()
}
