import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter, MAX_CLOCK_SKEW, seconds } from '../clock.ts'
import { isPostgres } from '../database/engine.ts'
import type { Database, OutboxRow } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { MAX_RETRY_DELAY, recordFailure, type Sender, sentOnce } from './dispatch.ts'

/** A dispatcher leases an email for this long; then another may claim it. */
const LEASE = seconds(10)

/** The lease of an email to a visitor that waited in a backup: over on any clock. */
export const RESTORED = ''
const IN_BACKUP =
  'This was waiting when the backup was made. It may have been sent: ask before you send it again.'

/** Why an email to a visitor counts as failed although it may have arrived. */
const NOT_RECORDED = {
  reply: 'Landfall was interrupted while it sent this reply, so it may have arrived. Ask, or send it again.',
  acknowledgement: 'Landfall was interrupted while it sent this email, so it may have arrived.',
}

export async function releaseLeases(db: Database): Promise<void> {
  const leased = db.updateTable('outbox').where('state', '=', 'waiting').where('leased_until', 'is not', null)
  await leased.set({ leased_until: null }).execute()
}

/** Claims emails that are due. One to a visitor is claimed once for each time that it is known not to be sent. */
export async function claimDue(
  db: Database,
  clock: Clock,
  max: number,
  inFlight: readonly string[],
): Promise<OutboxRow[]> {
  const now = isoAfter(clock)
  // A due time further ahead than any retry delay was written before the clock was set back, and the email must not wait.
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where(eb =>
      eb.or([eb('due_at', '<=', now), eb('due_at', '>', isoAfter(clock, MAX_RETRY_DELAY + MAX_CLOCK_SKEW))]),
    )
    .where(eb =>
      eb.or([eb('leased_until', 'is', null), eb.and([eb('kind', 'not in', sentOnce), hasExpired(clock)])]),
    )
    // If the clock jumps ahead, their leases seem to have expired.
    .$if(inFlight.length > 0, query => query.where('id', 'not in', inFlight))
    .orderBy('due_at')
    .limit(max)
    // Two nodes that poll concurrently claim different emails; SQLite has one writer and no such clause.
    .$if(isPostgres(db), query => query.forUpdate().skipLocked())
  return await db
    .updateTable('outbox')
    .set(eb => ({ leased_until: isoAfter(clock, LEASE), attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', due)
    .returningAll()
    .execute()
}

/** A lease is over, or was written before the clock was set back. */
function hasExpired(clock: Clock) {
  const latest = isoAfter(clock, LEASE + MAX_CLOCK_SKEW)
  return sql<SqlBool>`(leased_until <= ${isoAfter(clock)} or leased_until > ${latest})`
}

/**
 * Gives up emails to visitors whose attempt has no recorded outcome: the process that sent them has died or lost the database, and
 * another attempt could be a second email. @param which all that are leased, or those whose lease is over, except `ids`
 */
export async function failUnconfirmed(
  sender: Sender,
  which: 'all' | { readonly ids: readonly string[] },
): Promise<void> {
  const { db, clock } = sender
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('kind', 'in', sentOnce)
    .where('leased_until', 'is not', null)
    .$if(which !== 'all', query => query.where(hasExpired(clock)))
    .execute()
  const ownIds = which === 'all' ? [] : which.ids
  for (const row of rows.filter(({ id }) => !ownIds.includes(id)))
    await inTransaction(db, async transaction => {
      const unrecorded = NOT_RECORDED[row.kind === 'reply' ? row.kind : 'acknowledgement']
      const words = row.leased_until === RESTORED ? IN_BACKUP : unrecorded
      await recordFailure(sender, transaction, row, words)
    })
}
