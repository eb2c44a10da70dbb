import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type AuditLog, describeError } from '../../log/logger.ts'
import { type Clock, days, isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { deleteEntriesBefore } from '../logs/store.server.ts'
import { retentionKeys } from '../settings/contract.ts'
import { eraseExpired, spamBefore, unreadBefore } from './store.server.ts'

/** How long data is kept that nobody deletes. */
export interface Retention {
  readonly enquiriesMonths: number
  readonly logsDays: number
}

/** Of both times of `Erased`. */
const ERASED = 'retention_erased_before'
/** So long there is time to notice that something is no spam after all. */
const SPAM_RETENTION = days(30)

/** Used when a setting is missing or invalid. */
const standard: Retention = { enquiriesMonths: 84, logsDays: 365 }

export type Needed = Pick<Services, 'db' | 'clock' | 'log' | 'settings' | 'erased' | 'mailboxSweep'>

/**
 * Deletes in batches and logs the result, by a clock that is known to be right. Never throws: what fails now is retried
 * tomorrow.
 */
export async function deleteExpiredData(services: Needed, isStopped = () => false): Promise<void> {
  const { db, clock, log, settings, mailboxSweep } = services
  try {
    const { enquiriesMonths, logsDays } = readRetention(await settings.publicValues())
    // Read last: a change that comes in between is waited for, too.
    const waitsUntil = await readDelay(db, clock)
    if (waitsUntil) return log('info', 'API', CHANGED, { until: waitsUntil.toISOString() })
    const enquiriesBefore = monthsBefore(clock(), enquiriesMonths)
    const erased = await readErased(db)
    await logResult(log, 'Unread enquiries erased after their retention period', enquiriesBefore, conclude =>
      eraseExpired(services, unreadBefore(enquiriesBefore, erased.enquiries), conclude, isStopped),
    )
    const spamSince = new Date(clock().getTime() - SPAM_RETENTION)
    await logResult(log, 'Spam erased after its retention period', spamSince, conclude =>
      eraseExpired(services, spamBefore(spamSince, erased.spam), conclude, isStopped),
    )
    if (!isStopped()) await writeErased(db, clock, { enquiries: enquiriesBefore, spam: spamSince })
    mailboxSweep.request()
    const logsBefore = new Date(clock().getTime() - days(logsDays))
    await logResult(log, 'Log entries deleted after their retention period', logsBefore, conclude =>
      deleteEntriesBefore(db, logsBefore, conclude, isStopped),
    )
    await deleteOldCheckpoints(db, clock)
  } catch (error) {
    log('error', 'API', 'Retention failed', describeError(error))
  }
}

/** Milliseconds. After a change of a retention period nothing is deleted for so long: an admin can undo what another did. */
const RETENTION_DELAY = days(1)
const CHANGED = 'Nothing is deleted yet, because a retention period was changed less than a day ago'

/**
 * Until when nothing is deleted, because a retention period was changed: an admin who did not intend that can change it back.
 * A change that lies ahead was made by a clock that was wrong: it waits a day from now, rather than for years.
 * @returns null when there is nothing to wait for
 */
async function readDelay(db: Database, clock: Clock): Promise<Date | null> {
  const now = isoAfter(clock)
  await db
    .updateTable('settings')
    .set({ updated_at: now })
    .where('key', 'in', retentionKeys)
    .where('updated_at', '>', now)
    .execute()
  const { changedAt } = await db
    .selectFrom('settings')
    .select(({ fn }) => fn.max('updated_at').as('changedAt'))
    .where('key', 'in', retentionKeys)
    .executeTakeFirstOrThrow()
  const until = new Date(new Date(changedAt ?? 0).getTime() + RETENTION_DELAY)
  return clock() < until ? until : null
}

/** Before when a whole run has erased what was unread, or spam. */
interface Erased {
  readonly enquiries: Date
  readonly spam: Date
}

async function readErased(db: Database): Promise<Erased> {
  const [enquiries, spam] = (await readMark(db, ERASED))?.split(' ') ?? []
  return { enquiries: new Date(enquiries ?? 0), spam: new Date(spam ?? 0) }
}

async function writeErased(db: Database, clock: Clock, { enquiries, spam }: Erased): Promise<void> {
  await writeMark(db, ERASED, `${enquiries.toISOString()} ${spam.toISOString()}`, clock())
}

/** What is kept from run to run, in a row of the settings that nobody sets and no screen shows. */
export async function readMark(db: Database, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export async function writeMark(db: Database, key: string, value: string, now: Date): Promise<void> {
  const row = { value, updated_at: now.toISOString() }
  await db
    .insertInto('settings')
    .values({ key, ...row })
    .onConflict(conflict => conflict.column('key').doUpdateSet(row))
    .execute()
}

function readRetention(settings: {
  retention_enquiries_months: string
  retention_logs_days: string
}): Retention {
  return {
    enquiriesMonths: wholeNumber(settings.retention_enquiries_months) ?? standard.enquiriesMonths,
    logsDays: wholeNumber(settings.retention_logs_days) ?? standard.logsDays,
  }
}

/** At least one, so that a typing error cannot erase today's data. */
function wholeNumber(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null
}

/** The same day and hour so many months earlier; the last day of a month that is shorter. */
function monthsBefore(now: Date, months: number): Date {
  const then = new Date(now)
  then.setUTCMonth(now.getUTCMonth() - months)
  if (then.getUTCDate() !== now.getUTCDate()) then.setUTCDate(0)
  return then
}

type Conclude = Parameters<typeof deleteEntriesBefore>[2]

/** Writes the log entry in the transaction of the last batch, unless nothing was deleted. */
async function logResult(
  log: AuditLog,
  message: string,
  before: Date,
  work: (conclude: Conclude) => Promise<number>,
) {
  await work(async (transaction, count) => {
    if (count === 0) return
    await log.within(transaction, 'warning', 'API', message, { count, before: before.toISOString() })
  })
}

/** Milliseconds. Long enough to notice that a restored version was the wrong one. */
const CHECKPOINT_LIFETIME = days(90)

/** Deletes versions that were never published. Published ones are kept for ever: they prove what was claimed and when. */
export async function deleteOldCheckpoints(db: Database, clock: Clock): Promise<void> {
  await inTransaction(db, async transaction => {
    await deleteOldReviews(transaction, clock)
    await deleteOldVersions(transaction, clock)
  })
}

/** Deletes reviews that led to nothing, with their versions. */
async function deleteOldReviews(transaction: Database, clock: Clock) {
  await transaction
    .deleteFrom('content_reviews')
    .where('decided_at', '<', isoAfter(clock, -CHECKPOINT_LIFETIME))
    .where('outcome', '!=', 'approved')
    .execute()
}

async function deleteOldVersions(transaction: Database, clock: Clock) {
  await transaction
    .deleteFrom('content_versions')
    .where('created_at', '<', isoAfter(clock, -CHECKPOINT_LIFETIME))
    .where(({ not, and, exists, selectFrom }) => {
      const isPublished = exists(
        selectFrom('content_publications')
          .select('id')
          .whereRef('document_id', '=', 'content_versions.document_id')
          .whereRef('version_id', '=', 'content_versions.id'),
      )
      const drafts = selectFrom('content_drafts').select('document_id')
      const reviews = selectFrom('content_reviews').select('id')
      return and([
        not(isPublished),
        not(exists(drafts.whereRef('base_version_id', '=', 'content_versions.id'))),
        not(exists(reviews.whereRef('version_id', '=', 'content_versions.id'))),
      ])
    })
    .execute()
}
