import { firstIdAt } from '../../database/id.ts'
import { paged } from '../../database/paged.ts'
import { type Param, prepare } from '../../database/prepare.ts'
import type { Database, LogRow, UserRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { fitPage } from '../../http/json.ts'
import type { LogRecord } from '../../log/logger.ts'
import type { LogEntry, LogPage, LogQuery } from './contract.ts'
import { type LogFilter, needsScan, scanEntries } from './scan.server.ts'

/** Entries deleted in one transaction: on SQLite, every other writer waits for it. */
const DELETED_AT_ONCE = 1000
/** Characters; longer than any address, and what a proxy writes in its place is not ours to trust. */
const MAX_ADDRESS_LENGTH = 64

/** Inserts entries and skips those that exist, so that a batch with an unknown outcome can be retried. */
export async function insertEntries(db: Database, lines: readonly LogRecord[]): Promise<void> {
  await db
    .insertInto('logs')
    .values(lines.map(toRow))
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** Writes one, in the transaction that it reports on. */
export async function insertEntry(db: Database, line: LogRecord): Promise<void> {
  await insertRow(db, toRow(line))
}

const insertRow = prepare((db, value: Param<LogRow>) =>
  db.insertInto('logs').values({
    id: value('id'),
    level: value('level'),
    source: value('source'),
    message: value('message'),
    details: value('details'),
    ip_address: value('ip_address'),
    user_id: value('user_id'),
    user_agent: value('user_agent'),
    created_at: value('created_at'),
  }),
)

function toRow({ id, level, source, message, time, details }: LogRecord): LogRow {
  const { ipAddress, userId, userAgent, ...rest } = details
  return {
    id,
    level,
    source,
    message,
    details: JSON.stringify(rest),
    ip_address: typeof ipAddress === 'string' ? ipAddress.slice(0, MAX_ADDRESS_LENGTH) : null,
    user_id: typeof userId === 'string' ? userId : null,
    user_agent: typeof userAgent === 'string' && userAgent ? userAgent : null,
    created_at: time,
  }
}

/** One page, newest first. Each page starts from an index, so the last costs the same as the first. */
export async function listEntries(db: Database, { limit, cursor, ...filter }: Omit<LogQuery, 'environment'>) {
  if (needsScan(filter)) return await searchEntries(db, filter, cursor, limit)
  const { level, source, userId } = filter
  const entries = selectEntries(db)
    .$if(level !== undefined, select => select.where('level', '=', level ?? 'info'))
    .$if(source !== undefined, select => select.where('source', '=', source ?? 'API'))
    .$if(userId !== undefined, select => select.where('user_id', '=', userId ?? ''))
  const after = cursor === undefined ? undefined : [cursor]
  const { rows, last } = await paged(entries, { order: ['logs.id'], direction: 'desc', after, limit })
  return toPage(rows, last?.id ?? null)
}

async function searchEntries(db: Database, filter: LogFilter, cursor: string | undefined, limit: number) {
  const { found, next } = await scanEntries(db, filter, cursor, limit)
  const ids = found.map(({ id }) => id)
  const entries = selectEntries(db).where('logs.id', 'in', ids).orderBy('logs.id', 'desc')
  return toPage(ids.length === 0 ? [] : await entries.execute(), next)
}

/** @param next the cursor after all of these rows, of which a page has fewer when they are long */
function toPage(rows: Parameters<typeof toEntry>[0][], next: string | null): LogPage {
  const page = fitPage(rows, ({ details }) => details)
  const last = page.length < rows.length ? page.at(-1) : undefined
  return { logs: page.map(toEntry), nextCursor: last?.id ?? next }
}

function selectEntries(db: Database) {
  return db
    .selectFrom('logs')
    .leftJoin('users', 'users.id', 'logs.user_id')
    .leftJoin('former_users as former', 'former.id', 'logs.user_id')
    .selectAll('logs')
    .select(['users.name', 'users.email', 'users.role', 'former.name as former_name'])
}

/**
 * Deletes entries that are older than `before`, batch by batch. `conclude` runs in the transaction of the last batch: the
 * place to keep the entry that records it. Ends before its time once `isStopped`. @returns how many were deleted.
 */
export async function deleteEntriesBefore(
  db: Database,
  before: Date,
  conclude: (transaction: Transaction, count: number) => Promise<void>,
  isStopped = () => false,
): Promise<number> {
  let count = 0
  for (let isDone = false; !isDone; ) {
    await inTransaction(db, async transaction => {
      const deleted = await deleteOldest(transaction, before)
      count += deleted
      isDone = deleted < DELETED_AT_ONCE || isStopped()
      if (isDone) await conclude(transaction, count)
    })
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
  return count
}

async function deleteOldest(transaction: Database, before: Date): Promise<number> {
  const oldest = transaction
    .selectFrom('logs')
    .select('id')
    .where('id', '<', firstIdAt(before))
    .orderBy('id')
    .limit(DELETED_AT_ONCE)
  const { numDeletedRows } = await transaction
    .deleteFrom('logs')
    .where('id', 'in', oldest)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type EntryRow = LogRow & { readonly [Key in 'name' | 'email' | 'role']: UserRow[Key] | null } & {
  readonly former_name: string | null
}

function toEntry({ name, email, role, former_name, ...row }: EntryRow): LogEntry {
  const { ip_address, user_id, user_agent, created_at, details, ...same } = row
  return {
    ...same,
    details: JSON.parse(details),
    ipAddress: ip_address,
    userId: user_id,
    user: name === null || email === null || role === null ? null : { name, email, role },
    formerUser: former_name,
    userAgent: user_agent,
    createdAt: created_at,
  }
}
