import { readOverrides } from '../../../content/claims/finding.ts'
import {
  closeReview,
  findLastDecision,
  findOpenReview,
  insertReview,
  mayApprove,
  type OpenReview,
} from '../../../content/reviews.server.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import type { Services } from '../../../services.ts'
import type { Publication, PublishedVersion } from '../contract.ts'
import { throwNotFound } from '../editor/save-draft.server.ts'
import { addVersionOfDraft, check, prepareCheck } from '../history/version-of-draft.server.ts'
import {
  changeChecked,
  type EditorCall,
  goLive,
  readSchedule,
  toAuthor,
} from '../publishing/publish.server.ts'
import type { DeclinedReview, Review } from '../schemas.ts'
import { findDocument, logContent } from '../store.server.ts'
import type { Approval, Decision, Refusal } from './contract.ts'
import { needsReview } from './needs-review.server.ts'

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings'>

/**
 * Asks that a draft goes live. What is asked about is a version, which never changes; it takes the place of one that was
 * asked about before. @throws {HttpError} 400 with `errors` by path, 404, 409, 422
 */
export async function askForReview(
  { db, clock, content, settings }: Needed,
  publication: Publication,
  call: EditorCall,
): Promise<Review> {
  const { id: documentId, note = '' } = publication
  const author = toAuthor(call)
  await prepareCheck({ db, clock, content }, documentId)
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    if (!(await needsReview(settings, transaction)))
      throwHttpError(409, 'Publishing needs no second person. Publish it yourself.')
    const time = publication.liveFrom ?? null
    const { liveFrom } = await readSchedule({ clock, content }, transaction, documentId, time)
    const version = await addVersionOfDraft({ clock, content }, transaction, publication, call.user)
    await closeReview(transaction, clock, documentId, 'replaced', author)
    const versionOf = { versionId: version.id, revision: version.revision }
    const asked = { documentId, ...versionOf, note, liveFrom: time && liveFrom }
    await insertReview(transaction, clock, asked, author)
    const change = { document: documentId, path: version.path, version: version.number }
    await logContent(transaction, call, 'Content review requested', change)
    return toReview((await findOpenReview(transaction, documentId)) ?? throwNotFound(), author.id)
  })
}

/**
 * Makes the version live that somebody else has asked about, and nothing that was written since.
 * @throws {HttpError} 400 with `errors` by path, 403, 404, 409, 422
 */
export async function approve(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  { id, number, note, publishNow = false }: Approval,
  call: EditorCall,
): Promise<PublishedVersion> {
  const prepare = () => prepareCheck({ db, clock, content }, id)
  return await changeChecked({ db, content }, prepare, async transaction => {
    const document = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    const review = await findReview(transaction, id, number, call)
    if (!mayApprove(review, call.user.id)) throwOwnReview()
    const recorded = readOverrides(review.findings)
    const claims = { recorded, overrides: [], user: call.user, now: clock(), content: content.read() }
    const { path } = await check(transaction, document, review, claims)
    const asked = publishNow ? null : review.live_from
    const { liveFrom, seen } = await readSchedule({ clock, content }, transaction, id, asked)
    const { version_id: versionId, revision } = review
    await closeReview(transaction, clock, id, 'approved', toAuthor(call), note)
    await goLive(transaction, seen, { document, id: versionId, number, path, revision }, liveFrom, call)
    const [change, askedBy] = [{ document: id, path, version: number }, review.asked_by_id]
    await logContent(transaction, call, 'Content review approved', change, { askedBy })
    return { number, createdAt: review.asked_at, author: review.asked_by, note: review.note, liveFrom }
  })
}

/** Declines what somebody else has asked for, or withdraws what one has asked for oneself. @throws {HttpError} 403, 404, 409 */
export async function closeUnapproved(
  { db, clock }: Needed,
  { id, number, note }: Decision & Partial<Refusal>,
  outcome: 'declined' | 'withdrawn',
  call: EditorCall,
) {
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const { path } = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    const review = await findReview(transaction, id, number, call)
    const isOwn = review.asked_by_id === call.user.id
    if (isOwn && outcome === 'declined') throwOwnReview()
    if (!isOwn && outcome === 'withdrawn') throwHttpError(403, 'Somebody else has asked for this review')
    await closeReview(transaction, clock, id, outcome, toAuthor(call), note)
    const [change, askedBy] = [{ document: id, path, version: number }, review.asked_by_id]
    await logContent(transaction, call, `Content review ${outcome}`, change, { askedBy })
  })
}

/** The review that the caller has seen. @throws {HttpError} 409 with the one that waits now */
async function findReview(transaction: Database, id: string, number: number, { user }: EditorCall) {
  const review = await findOpenReview(transaction, id)
  if (review?.number === number) return review
  throwHttpError(409, 'This review is over, or something else waits for it', {
    code: 'review_changed',
    fields: { review: review ? toReview(review, user.id) : null },
  })
}

function throwOwnReview(): never {
  throwHttpError(403, 'Somebody who has not worked on this must decide', { code: 'own_review' })
}

/** @param userId of the reader */
export function toReview(review: OpenReview, userId: string): Review {
  const { number, revision, note } = review
  const asked = { askedBy: review.asked_by, askedAt: review.asked_at, liveFrom: review.live_from }
  const isOwn = review.asked_by_id === userId
  const reasons = readOverrides(review.findings)
  return { number, revision, note, reasons, ...asked, isOwn, mayApprove: mayApprove(review, userId) }
}

/** The last review, if it was declined: what its author should read. */
export async function findDeclined(db: Database, id: string): Promise<DeclinedReview | null> {
  const last = await findLastDecision(db, id)
  if (last?.outcome !== 'declined') return null
  const { number, decision_note: note, decided_by: by, decided_at: at } = last
  return { number, note, declinedBy: by ?? '', declinedAt: at ?? '' }
}
