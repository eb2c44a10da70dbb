import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../../../database/engine.ts'
import { firstIdAt } from '../../../database/id.ts'
import { offMainThread } from '../../../database/sqlite/reader-thread.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { describeError, type Log } from '../../../log/logger.ts'
import { minutes, seconds } from '../../../platform/clock.ts'
import { LONGEST_REST, takeTurns } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import { prepareTexts } from './condition.server.ts'
import type { PreparedText } from './prepared-text.ts'
import { readTexts } from './texts.server.ts'

/** Milliseconds between two looks at what has arrived: an enquiry is indexed within a second, as far as other work lets it. */
export const INDEX_EVERY = seconds(0.5)
/** Messages of one transaction: a few milliseconds' work, which ends earlier when texts are long. */
const MOST_AT_ONCE = 25
/** Milliseconds of this thread's processor that one transaction takes, above which the next takes half as many messages. */
const LONG = 25
/** Messages that are looked at together for those without a row. */
const WINDOW = 250
/** Beside other work, the index takes at most a twentieth of the time: it waits twenty times as long as it took. */
const SHARE = 20
/** Part of the time in which the event loop is busy, above which there is other work. */
const BUSY = 0.5
/** Milliseconds of waiting for somebody who changes a message, after which it is indexed later: PostgreSQL ends a deadlock after 1,000. */
const LOCK_TIMEOUT = 100
/** How far back the newest messages are looked at again: a message may be stored a little after others with a later id. */
const LATE = minutes(10)

type Needed = Pick<Services, 'db' | 'clock'> & { readonly log: Log }

/**
 * Keeps the rows that a search reads up to date, in the background. What is not indexed is found all the same, so nothing depends
 * on when a node comes to it, or on which one does.
 */
export function createSearchIndex({ db, clock, log }: Needed) {
  const index = createIndexer(db)
  /** The newest id that was looked at. */
  let newest = firstIdAt(clock())
  /** Messages before this id are still to be looked at; null when all were. */
  let older: string | null = newest
  let until = ''
  let again = clock().getTime() + minutes(1)
  let hasFailed = false

  async function lookAtNew(isStopped: () => boolean) {
    for (;;) {
      const window = await readWindow(db, newest, 'newer')
      await index(window.unindexed, isStopped)
      newest = window.last ?? newest
      if (isStopped() || !window.isWhole) return
    }
  }

  async function lookAtOlder(isStopped: () => boolean) {
    const window = await readWindow(db, older ?? newest, 'older')
    await index(window.unindexed, isStopped)
    older = window.isWhole && window.last && window.last > until ? window.last : null
  }

  return {
    /** Indexes what has changed or arrived, and some of what was stored before. Never fails. */
    async run(isStopped: () => boolean): Promise<void> {
      try {
        while (!isStopped()) {
          await index(await listStale(db), isStopped)
          await lookAtNew(isStopped)
          if (clock().getTime() > again && older === null) {
            again = clock().getTime() + minutes(1)
            until = firstIdAt(new Date(clock().getTime() - LATE))
            older = newest
          }
          hasFailed = false
          if (older === null) return
          await lookAtOlder(isStopped)
        }
      } catch (error) {
        // The next run is in half a second.
        if (isLockTimeout(error)) return
        if (!hasFailed) log('warning', 'API', 'Search index not updated', describeError(error))
        hasFailed = true
      }
    },
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** Indexes everything now, for tests, benchmarks and rows that were just written. */
export async function indexAll(services: Needed): Promise<void> {
  await createSearchIndex(services).run(() => false)
}

function createIndexer(db: Database) {
  let atOnce = MOST_AT_ONCE
  let idle = performance.eventLoopUtilization()

  /** Waits as long as the last transaction took, or while there is other work so much longer that others hardly notice. */
  async function rest(took: number) {
    const { utilization } = performance.eventLoopUtilization(idle)
    await sleep(Math.min(utilization > BUSY ? took * SHARE : took, LONGEST_REST))
    idle = performance.eventLoopUtilization()
  }

  return async (ids: readonly string[], isStopped: () => boolean) => {
    for (let from = 0; from < ids.length && !isStopped(); ) {
      const some = ids.slice(from, from + atOnce)
      const before = process.threadCpuUsage()
      await indexMessages(db, some)
      from += some.length
      const { user, system } = process.threadCpuUsage(before)
      const took = (user + system) / 1000
      atOnce = took > LONG ? Math.max(1, atOnce >> 1) : Math.min(MOST_AT_ONCE, atOnce * 2)
      await rest(took)
    }
  }
}

async function listStale(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('search_words')
    .select('message_id')
    .where('is_stale', '=', 1)
    .limit(WINDOW)
    .execute()
  return rows.map(row => row.message_id)
}

/** The next messages after an id in one direction: the last of them, and which have no row. */
async function readWindow(db: Database, from: string, towards: 'newer' | 'older') {
  const [comparison, direction] = towards === 'newer' ? (['>', 'asc'] as const) : (['<=', 'desc'] as const)
  const rows = await db
    .selectFrom('messages')
    .leftJoin('search_words', 'search_words.message_id', 'messages.id')
    .select(['messages.id', 'search_words.message_id as indexed'])
    .where('messages.id', comparison, from)
    .orderBy('messages.id', direction)
    .limit(WINDOW)
    .execute()
  return {
    unindexed: rows.filter(({ indexed }) => indexed === null).map(({ id }) => id),
    last: rows.at(-1)?.id,
    isWhole: rows.length === WINDOW,
  }
}

/** The rows of a message as its texts were when its row had this version. */
interface Prepared {
  readonly message_id: string
  readonly version: number
  readonly visible: PreparedText
  readonly notes: PreparedText | null
}

/** Reads and prepares the texts, while others write, and then writes the rows. */
async function indexMessages(db: Database, ids: readonly string[]): Promise<void> {
  const pause = await takeTurns()
  const { versions, all } = await offMainThread(async () => ({
    // In this order: texts that change after this have another version.
    versions: await db
      .selectFrom('search_words')
      .select(['message_id', 'version'])
      .where('message_id', 'in', ids)
      .execute(),
    all: await readTexts(db, ids),
  }))
  const prepared: Prepared[] = []
  for (const { id, visible, notes } of all)
    prepared.push({
      message_id: id,
      version: versions.find(({ message_id }) => message_id === id)?.version ?? 0,
      visible: await prepareTexts(visible, pause),
      notes: notes.length > 0 ? await prepareTexts(notes, pause) : null,
    })
  if (prepared.length > 0) await inTransaction(db, transaction => write(transaction, prepared))
}

/** What has changed since it was read stays as the change has left it: words that are gone must not come back. */
async function write(transaction: Transaction, prepared: readonly Prepared[]): Promise<void> {
  if (isPostgres(transaction))
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
  // Those that are not being deleted.
  const all = prepared.map(({ message_id }) => message_id)
  const existing = await transaction
    .selectFrom('messages')
    .select('id')
    .where('id', 'in', all)
    .$if(isPostgres(transaction), query => query.orderBy('id').forKeyShare())
    .execute()
  const ids = new Set(existing.map(({ id }) => id))
  const rows = prepared.filter(({ message_id }) => ids.has(message_id))
  if (rows.length === 0) return
  const visible = rows.map(({ visible: text, notes: _, ...row }) => ({
    ...row,
    ...text,
    is_stale: 0 as const,
  }))
  const written = await transaction
    .insertInto('search_words')
    .values(visible)
    .onConflict(conflict =>
      conflict
        .column('message_id')
        .doUpdateSet(eb => ({
          words: eb.ref('excluded.words'),
          parts: eb.ref('excluded.parts'),
          is_stale: 0,
        }))
        .whereRef('search_words.version', '=', 'excluded.version'),
    )
    .returning('message_id')
    .execute()
  const current = new Set(written.map(({ message_id }) => message_id))
  const notes = rows.flatMap(({ message_id, notes }) =>
    notes && current.has(message_id) ? [{ message_id, ...notes }] : [],
  )
  if (notes.length === 0) return
  await transaction
    .insertInto('note_words')
    .values(notes)
    .onConflict(conflict =>
      conflict
        .column('message_id')
        .doUpdateSet(eb => ({ words: eb.ref('excluded.words'), parts: eb.ref('excluded.parts') })),
    )
    .execute()
}
