import { type Clock, days, isoAfter } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'

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
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('content_publications')
            .select('id')
            .whereRef('document_id', '=', 'content_versions.document_id')
            .whereRef('version_id', '=', 'content_versions.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('content_drafts')
            .select('document_id')
            .whereRef('base_version_id', '=', 'content_versions.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('content_reviews').select('id').whereRef('version_id', '=', 'content_versions.id')),
      ),
    )
    .execute()
}
