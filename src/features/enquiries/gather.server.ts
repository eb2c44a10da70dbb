import { sql } from 'kysely'
import { type Clock, hours, isoAfter, minutes } from '../../clock.ts'
import { isPostgres } from '../../database/open.ts'
import { type Place, prepare } from '../../database/prepare.ts'
import type { Database } from '../../database/tables.ts'
import type { Services } from '../../services.ts'
import { digestLetter } from './notice.server.ts'
import { coverGathered, listGathered, oldestGathered } from './store.server.ts'

/** Past so many enquiries in an hour, of any kind and over all, … */
const MOST_NOTICES = 60
/** … their notices wait for one email, at most this long. So two of these emails are at least this far apart. */
const GATHERED_FOR = hours(1)
/** The clocks of two nodes may differ by this; what is dated later still is from before a clock was set back. */
const CLOCKS_DIFFER = minutes(1)

/** Names the lock of PostgreSQL under which notices are gathered. */
const LOCK = sql`hashtext('landfall gathered notices')`

/**
 * Whether the notice of an enquiry is to wait for others. Ask before it is inserted, in the transaction that stores it.
 * Up to the limit, PostgreSQL stores one enquiry after the other, so that each counts those before it. Past it they are
 * stored side by side again: only a look at what has gathered waits for them.
 */
export async function isFlooded(transaction: Database, clock: Clock): Promise<boolean> {
  const span = { since: isoAfter(clock, -GATHERED_FOR), until: isoAfter(clock, CLOCKS_DIFFER) }
  const isOver = async (count: typeof countRecent) => (await count(transaction, span)) >= MOST_NOTICES
  if (isPostgres(transaction) && (await isOver(countAndLock))) return true
  return await isOver(countRecent)
}

const countRecent = async (db: Database, span: Span) => readCount(await selectCount(db, span))
const countAndLock = async (db: Database, span: Span) => readCount(await selectCountAndLock(db, span))

interface Span {
  readonly since: string
  readonly until: string
}

const selectCount = prepare(recentCount)

const selectCountAndLock = prepare((db, value: Place<Span>) =>
  db
    .selectFrom(recentCount(db, value).as('recent'))
    .select('count')
    .select(
      sql`case when count >= ${sql.lit(MOST_NOTICES)} then pg_advisory_xact_lock_shared(${LOCK})
        else pg_advisory_xact_lock(${LOCK}) end`.as('locked'),
    ),
)

/** How many enquiries came in a time, counted to the limit, so that it costs no more with a million others. */
function recentCount(db: Database, value: Place<Span>) {
  const recent = db
    .selectFrom('messages')
    .select('id')
    .where('created_at', '>', value('since'))
    .where('created_at', '<=', value('until'))
    .limit(sql.lit(MOST_NOTICES))
  return db.selectFrom(recent.as('counted')).select(eb => eb.fn.countAll().as('count'))
}

function readCount({ rows }: { rows: readonly { count: unknown }[] }): number {
  return Number(rows[0]?.count)
}

/**
 * Writes the email that tells of all gathered messages, when the first of them has waited long enough. The email and
 * the marks on the messages are one transaction, so each message is told of once, whatever happens in between.
 */
export async function writeGatheredNotice(services: Services): Promise<void> {
  const { db, clock, outbox, settings, config, signature } = services
  if (!(await isDue(db, clock))) return
  const { form_email: staff, site_name: siteName } = await settings.read()
  await db.transaction().execute(async transaction => {
    await awaitGathering(transaction)
    // Another node may have been faster.
    if (!(await isDue(transaction, clock))) return
    const references = await listGathered(transaction)
    const letter = digestLetter(references, staff, config.publicUrl, signature(siteName))
    await coverGathered(transaction, await outbox.add(transaction, letter, null))
  })
}

async function isDue(db: Database, clock: Clock): Promise<boolean> {
  const oldest = await oldestGathered(db)
  if (oldest === undefined) return false
  return oldest <= isoAfter(clock, -GATHERED_FOR) || oldest > isoAfter(clock, CLOCKS_DIFFER)
}

/**
 * Until the transaction ends, no other gathers, so that no notice slips in between a look and what follows from it.
 * SQLite has one writer anyway.
 */
async function awaitGathering(transaction: Database) {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction)
}
