import { sql } from 'kysely'
import { isPostgres } from '../../../database/engine.ts'
import { LOCKS, lock } from '../../../database/locks.ts'
import { type Param, prepare } from '../../../database/prepare.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type Clock, hours, isoAfter, MAX_CLOCK_SKEW } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { assignToDigest, listDigestItems, oldestDigestItem } from '../store.server.ts'
import { digestEmail } from './notice.server.ts'

/** From this many enquiries in an hour on, of any kind and in total, notices wait for a digest. */
const MAX_NOTICES = 60
/** The longest that a notice waits for the digest, so two digests are at least this far apart. */
const DIGEST_EVERY = hours(1)

/**
 * Whether the notice of an enquiry goes into the digest. Call it before the enquiry is inserted, in the transaction that
 * stores it. Below the limit PostgreSQL stores one enquiry after the other, so that each counts those before it. Above
 * the limit they are stored concurrently again: only `sendDigest` waits for them.
 */
export async function shouldDigest(transaction: Database, clock: Clock): Promise<boolean> {
  const span = { since: isoAfter(clock, -DIGEST_EVERY), until: isoAfter(clock, MAX_CLOCK_SKEW) }
  const isOver = async (count: typeof countRecent) => (await count(transaction, span)) >= MAX_NOTICES
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

const selectCountAndLock = prepare((db, value: Param<Span>) =>
  db
    .selectFrom(recentCount(db, value).as('recent'))
    .select('count')
    .select(
      sql`case when count >= ${sql.lit(MAX_NOTICES)} then pg_advisory_xact_lock_shared(${sql.lit(LOCKS.digest)})
        else pg_advisory_xact_lock(${sql.lit(LOCKS.digest)}) end`.as('locked'),
    ),
)

/** The number of enquiries in a time span. Stops at the limit, so that it costs the same with a million others. */
function recentCount(db: Database, value: Param<Span>) {
  const recent = db
    .selectFrom('messages')
    .select('id')
    .where('created_at', '>', value('since'))
    .where('created_at', '<=', value('until'))
    .limit(sql.lit(MAX_NOTICES))
  return db.selectFrom(recent.as('counted')).select(eb => eb.fn.countAll().as('count'))
}

function readCount({ rows }: { rows: readonly { count: unknown }[] }): number {
  return Number(rows[0]?.count)
}

/**
 * Writes the email that lists all waiting messages, once the first of them has waited long enough. The email and the
 * marks on the messages are one transaction, so each message is in exactly one digest, whatever fails in between.
 */
export async function sendDigest(services: Services): Promise<void> {
  const { db, clock, outbox, settings, config, emailSignature } = services
  if (!(await isDue(db, clock))) return
  const { form_email: staff, site_name: siteName } = await settings.publicValues()
  await inTransaction(db, async transaction => {
    // None slips in between the check and the email.
    await lock(transaction, 'digest')
    // Another node may have sent it first.
    if (!(await isDue(transaction, clock))) return
    const references = await listDigestItems(transaction)
    const email = digestEmail(references, staff, config.publicUrl, emailSignature(siteName))
    await assignToDigest(transaction, await outbox.add(transaction, email, { kind: 'digest' }))
  })
}

async function isDue(db: Database, clock: Clock): Promise<boolean> {
  const oldest = await oldestDigestItem(db)
  if (oldest === undefined) return false
  return oldest <= isoAfter(clock, -DIGEST_EVERY) || oldest > isoAfter(clock, MAX_CLOCK_SKEW)
}
