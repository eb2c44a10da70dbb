import { type Clock, days, isoAfter } from '../clock.ts'
import type { Database } from '../database/tables.ts'

/** Milliseconds. Long enough to notice that a restored version was the wrong one. */
const CHECKPOINT_LIFETIME = days(90)

/** Deletes versions that were never published. Published ones are kept for ever: they prove what was claimed and when. */
export async function deleteOldCheckpoints(db: Database, clock: Clock): Promise<void> {
  await db
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
    .execute()
}
