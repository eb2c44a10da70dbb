import type { ReviewOutcome } from '../database/content-tables.ts'
import { newId } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { type Author, parseEditors } from './documents.server.ts'

/** Versions that wait for a second person, in SQL. */

export type OpenReview = NonNullable<Awaited<ReturnType<typeof findOpenReview>>>

export async function findOpenReview(db: Database, documentId: string) {
  return await db
    .selectFrom('content_reviews as review')
    .innerJoin('content_versions as version', 'version.id', 'review.version_id')
    .where('review.document_id', '=', documentId)
    .where('review.outcome', 'is', null)
    .select(['review.id', 'review.document_id', 'review.version_id', 'review.revision'])
    .select(['review.asked_by_id', 'review.asked_by', 'review.asked_at', 'review.note', 'review.live_from'])
    .select(['version.number', 'version.path', 'version.body', 'version.schema'])
    .select(['version.findings', 'version.editors'])
    .executeTakeFirst()
}

/** Whether somebody may approve it: nobody who asked or whose words may be in it. */
export function mayApprove(review: Pick<OpenReview, 'asked_by_id' | 'editors'>, userId: string): boolean {
  return review.asked_by_id !== userId && !parseEditors(review.editors).includes(userId)
}

/** What waits for this person, the oldest request first, with the title of the draft. */
export async function listReviewsFor(db: Database, userId: string) {
  const rows = await db
    .selectFrom('content_reviews as review')
    .innerJoin('content_versions as version', 'version.id', 'review.version_id')
    .innerJoin('content_documents as document', 'document.id', 'review.document_id')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'review.document_id')
    .where('review.outcome', 'is', null)
    .where('document.archived_at', 'is', null)
    .where('review.asked_by_id', '!=', userId)
    .select(['document.id', 'draft.title', 'version.editors', 'version.number'])
    .select(['review.asked_by_id', 'review.asked_by as askedBy', 'review.asked_at as askedAt'])
    .orderBy('review.id')
    .execute()
  return rows.filter(review => mayApprove(review, userId))
}

interface NewReview {
  readonly documentId: string
  readonly versionId: string
  readonly revision: number
  readonly note: string
  /** In ISO 8601. */
  readonly liveFrom: string | null
}

export type Person = Author & { readonly id: string }

/** Call it with the `content` lock, after the review before it is closed. */
export async function insertReview(
  transaction: Database,
  clock: Clock,
  { documentId, versionId, revision, note, liveFrom }: NewReview,
  { id, name }: Person,
): Promise<void> {
  const asked = { asked_by_id: id, asked_by: name, asked_at: isoAfter(clock) }
  const review = { document_id: documentId, version_id: versionId, revision, note, live_from: liveFrom }
  await transaction
    .insertInto('content_reviews')
    .values({ id: newId(clock()), ...review, ...asked, decision_note: '' })
    .execute()
}

/** Records what came of the review that is open, if there is one. */
export async function closeReview(
  transaction: Database,
  clock: Clock,
  documentId: string,
  outcome: ReviewOutcome,
  { id, name }: Person,
  note = '',
): Promise<void> {
  const decided = { decided_by_id: id, decided_by: name, decided_at: isoAfter(clock) }
  await transaction
    .updateTable('content_reviews')
    .set({ outcome, decision_note: note, ...decided })
    .where('document_id', '=', documentId)
    .where('outcome', 'is', null)
    .execute()
}

export async function findLastDecision(db: Database, documentId: string) {
  return await db
    .selectFrom('content_reviews as review')
    .innerJoin('content_versions as version', 'version.id', 'review.version_id')
    .where('review.document_id', '=', documentId)
    .where('review.outcome', 'is not', null)
    .select(['review.outcome', 'review.decided_by', 'review.decided_at', 'review.decision_note'])
    .select('version.number')
    .orderBy('review.decided_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
