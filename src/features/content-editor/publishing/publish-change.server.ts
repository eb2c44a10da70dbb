import * as z from 'zod/mini'
import {
  type Body,
  currentSchema,
  findShapeErrors,
  readBody,
  type StoredBody,
} from '../../../content/bodies.ts'
import { Finding, type RecordedOverride, readOverrides } from '../../../content/claims/finding.ts'
import { insertVersion, parseEditors } from '../../../content/documents.server.ts'
import {
  closeReview,
  findOpenReview,
  insertReview,
  type OpenReview,
  type Person,
} from '../../../content/reviews.server.ts'
import type { ContentDraftRow, ContentKind } from '../../../database/content-tables.ts'
import type { Database } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type HttpError, throwHttpError } from '../../../http/http-error.ts'
import type { Services } from '../../../services.ts'
import { ADDITIONS_PER_USER } from '../api.server.ts'
import { prepareClaims } from '../claims/check-claims.server.ts'
import { throwNotFound } from '../editor/save-draft.server.ts'
import { findLivePublication } from '../history/history.server.ts'
import { check } from '../history/version-of-draft.server.ts'
import { needsReview } from '../reviews/needs-review.server.ts'
import { findDocument, lockDraft, logContent, toNewText, updateDraft } from '../store.server.ts'
import { changeChecked, type EditorCall, goLive, readSchedule, toAuthor } from './publish.server.ts'

/** A change of a few fields, made to what is live and to the draft alike. */
export interface ContentChange {
  readonly id: string
  /** Of the version. */
  readonly note: string
  /** Pure; it may be called several times. */
  readonly apply: (body: Body) => Body
  /** Reasons that hold for what it puts back, beside those of what is live. */
  readonly recorded?: readonly RecordedOverride[]
  /** Is called in the transaction and throws to reject the change. */
  readonly before?: (transaction: Transaction) => Promise<void>
}

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings' | 'rateLimiter'>

/**
 * What goes live is not what the draft is. A negative revision is that of the draft after the change, by an author of whom
 * nothing else is in it: once the change is live, they count as one who wrote in the draft no longer.
 */
const NO_REVISION = 0

/**
 * Publishes what is live with this change, and makes the same change to the draft, whose other changes stay unpublished. While
 * publishing needs a second person, it asks for a review instead; a second change of the same person in the same words joins
 * the first.
 * @returns the number of the version @throws {HttpError} 400 with `errors` by path, 404 without anything live, 409 while another
 * change of the document waits, 422, 429
 */
export async function publishChange(
  { db, clock, content, settings, rateLimiter }: Needed,
  { id, note, apply, recorded = [], before }: ContentChange,
  call: EditorCall,
): Promise<{ readonly number: number; readonly state: 'published' | 'requested' }> {
  await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
  const author = toAuthor(call)
  const prepare = async () => {
    const now = clock()
    const { kind } = (await findDocument(db, now, id)) ?? throwNotFound()
    const live = await readLive(db, now, id)
    const source = (await findOpenReview(db, id)) ?? live
    for (const stored of [live, change(kind, source, apply)]) {
      const typed = { kind, body: readBody(kind, stored) }
      await prepareClaims({ typed, text: stored.body }, { content: content.read(), now })
    }
  }
  return await changeChecked({ db, content }, prepare, async transaction => {
    await before?.(transaction)
    const now = clock()
    const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
    const { kind } = document
    if (document.state === 'scheduled') throwWaiting('A change of it is scheduled')
    const review = await findOpenReview(transaction, id)
    const isReviewed = await needsReview(settings, transaction)
    if (review && !(isReviewed && mayJoin(review, note, author)))
      throwWaiting('A change of it waits for approval')
    const source = review ?? (await readLive(transaction, now, id))
    const stored = change(kind, source, apply)
    const { path, findings } = await check(transaction, document, stored, {
      // Of two reasons for one claim the later counts.
      recorded: [...recorded, ...readOverrides(source.findings)],
      ...{ overrides: [], user: call.user, now, content: content.read() },
    })
    const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
    const isSame = review ? review.revision === draft.revision : document.state === 'live'
    const isNew = await isNewEditor(transaction, id, author, review)
    const isInDraft = await changeDraft(transaction, clock, kind, draft, apply, author)
    const revision = isInDraft ? revisionAfter(draft.revision + 1, isSame, isNew) : NO_REVISION
    const version = { documentId: id, path, note, findings: JSON.stringify(findings), editors: [author.id] }
    const added = await insertVersion(transaction, clock, { ...version, ...stored }, author)
    const { number } = added
    await closeReview(transaction, clock, id, 'replaced', author)
    if (isReviewed) {
      const asked = { documentId: id, versionId: added.id, revision, note, liveFrom: null }
      await insertReview(transaction, clock, asked, author)
      const logged = { document: id, path, version: number }
      await logContent(transaction, call, 'Content review requested', logged)
      return { number, state: 'requested' }
    }
    const { liveFrom, seen } = await readSchedule({ clock, content }, transaction, id, null)
    await goLive(transaction, seen, { ...added, document, path, revision }, liveFrom, call)
    return { number, state: 'published' }
  })
}

/** Why a change was refused, for the person who made it. @param field of the body, whose error says more than the whole */
export function reasonOf({ message, details: { errors = {}, fields = {} } }: HttpError, field = ''): string {
  const [claim] = z.array(Finding).safeParse(fields.findings).data ?? []
  return claim?.why ?? errors[field] ?? message
}

/** Whether a review is one that the same change began, with nobody else's words in it. */
function mayJoin(review: OpenReview, note: string, author: Person): boolean {
  const isOwn = review.asked_by_id === author.id && review.note === note && review.live_from === null
  return isOwn && parseEditors(review.editors).every(id => id === author.id)
}

/** Whether nothing else in the draft is by this author, beside what the review is about. */
async function isNewEditor(
  transaction: Transaction,
  documentId: string,
  author: Person,
  review: OpenReview | undefined,
): Promise<boolean> {
  const query = transaction.selectFrom('content_draft_editors').select('revision')
  const own = query.where('document_id', '=', documentId).where('user_id', '=', author.id)
  const row = await own.executeTakeFirst()
  return row === undefined || row.revision === Math.abs(review?.revision ?? 0)
}

/** @param next of the draft after the change @returns what the version keeps of it */
function revisionAfter(next: number, isSame: boolean, isNew: boolean): number {
  if (isSame) return next
  return isNew ? -next : NO_REVISION
}

/** Makes the change to the draft, unless the draft could then not be saved any more. @returns whether it is in the draft */
async function changeDraft(
  transaction: Transaction,
  clock: Services['clock'],
  kind: ContentKind,
  draft: ContentDraftRow,
  apply: ContentChange['apply'],
  author: Person,
): Promise<boolean> {
  const body = apply(readBody(kind, draft))
  if (Object.keys(findShapeErrors(kind, body)).length > 0) return false
  const text = toNewText(kind, body)
  return await updateDraft(transaction, clock, draft.document_id, draft.revision, text, author)
}

async function readLive(db: Database, now: Date, id: string) {
  return (await findLivePublication(db, now, id)) ?? throwNotFound()
}

function change(kind: ContentKind, stored: StoredBody, apply: ContentChange['apply']): StoredBody {
  return { body: JSON.stringify(apply(readBody(kind, stored))), schema: currentSchema(kind) }
}

function throwWaiting(what: string): never {
  throwHttpError(409, `${what}. Decide about it under Content first, or make this change there.`)
}
