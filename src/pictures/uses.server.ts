import { sql } from 'kysely'
import { isScheduled, liveIdOf } from '../content/publication-clock.server.ts'
import type { Database } from '../database/tables.ts'

/** A document that names a picture in its draft, or in a version that is or was published. */
export interface PictureUseRow {
  readonly pictureId: string
  readonly documentId: string
  readonly title: string
  readonly path: string
  readonly isLive: boolean
  /** By its draft, or by a version that is live, scheduled or waits for approval. */
  readonly isNeeded: boolean
}

/** The uses of these pictures, by path. Documents that were deleted show nothing. */
export async function listUses(
  db: Database,
  now: Date,
  pictureIds: readonly string[],
): Promise<PictureUseRow[]> {
  if (pictureIds.length === 0) return []
  const { rows } = await selectUses(now, pictureIds).execute(db)
  return rows.map(row => ({ ...row, isLive: Boolean(row.isLive), isNeeded: Boolean(row.isNeeded) }))
}

type Row = Omit<PictureUseRow, 'isLive' | 'isNeeded'> & { isLive: number; isNeeded: number }

function selectUses(now: Date, pictureIds: readonly string[]) {
  const time = now.toISOString()
  const ids = sql.join(pictureIds)
  const isLive = sql`publication.id = ${liveIdOf('version.document_id', time)}`
  return sql<Row>`
    select used.picture_id as "pictureId", document.id as "documentId", draft.title, document.path,
      max(used.is_live) as "isLive", max(used.is_needed) as "isNeeded"
    from (
      select picture_id, document_id, 0 as is_live, 1 as is_needed
      from content_draft_pictures where picture_id in (${ids})
      union all
      select named.picture_id, version.document_id, case when ${isLive} then 1 else 0 end,
        case when ${isLive} or ${isScheduled(time)} then 1 else 0 end
      from content_version_pictures as named
      join content_versions as version on version.id = named.version_id
      join content_publications as publication on publication.document_id = version.document_id
        and publication.version_id = version.id and publication.cancelled_at is null
      where named.picture_id in (${ids})
      union all
      select named.picture_id, review.document_id, 0, 1
      from content_version_pictures as named
      join content_reviews as review on review.version_id = named.version_id and review.outcome is null
      where named.picture_id in (${ids})
    ) as used
    join content_documents as document on document.id = used.document_id and document.archived_at is null
    join content_drafts as draft on draft.document_id = document.id
    group by used.picture_id, document.id, draft.title, document.path
    order by document.path`
}
