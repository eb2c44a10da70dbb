import * as z from 'zod/mini'
import {
  type Body,
  currentSchema,
  findShapeErrors,
  readBody,
  type StoredBody,
} from '../../../content/bodies.ts'
import { Finding, type RecordedOverride, readOverrides } from '../../../content/claims/finding.ts'
import { deleteEditors, insertVersion, listEditors } from '../../../content/documents.server.ts'
import { closeReview, findOpenReview, insertReview, type Person } from '../../../content/reviews.server.ts'
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

/** No draft has it: what goes live is then not what the draft is. */
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
    for (const stored of [live, change(kind, live, apply)]) {
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
    const isJoined = review?.asked_by_id === author.id && review.note === note
    if (review && !isJoined) throwWaiting('A change of it waits for approval')
    const source = review ?? (await readLive(transaction, now, id))
    const stored = change(kind, source, apply)
    const { path, findings } = await check(transaction, document, stored, {
      // Of two reasons for one claim the later counts.
      recorded: [...recorded, ...readOverrides(source.findings)],
      ...{ overrides: [], user: call.user, now, content: content.read() },
    })
    const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
    const isSame = review ? review.revision === draft.revision : document.state === 'live'
    const isInDraft = await changeDraft(transaction, clock, kind, draft, { apply, author, isSame })
    const revision = isSame && isInDraft ? draft.revision + 1 : NO_REVISION
    const version = { documentId: id, path, note, findings: JSON.stringify(findings), editors: [author.id] }
    const added = await insertVersion(transaction, clock, { ...version, ...stored }, author)
    const { number } = added
    await closeReview(transaction, clock, id, 'replaced', author)
    if (await needsReview(settings, transaction)) {
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

interface DraftChange extends Pick<ContentChange, 'apply'> {
  readonly author: Person
  /** Whether the draft is what the change was made to. */
  readonly isSame: boolean
}

/**
 * Makes the change to the draft, unless the draft could then not be saved any more. In a draft with other changes its author
 * does not count as one who wrote in it: the change is read in its own version, and others must find a second person, too.
 * @returns whether it is in the draft
 */
async function changeDraft(
  transaction: Transaction,
  clock: Services['clock'],
  kind: ContentKind,
  draft: ContentDraftRow,
  { apply, author, isSame }: DraftChange,
): Promise<boolean> {
  const { document_id: id, revision } = draft
  const body = apply(readBody(kind, draft))
  if (Object.keys(findShapeErrors(kind, body)).length > 0) return false
  const editors = await listEditors(transaction, id)
  await updateDraft(transaction, clock, id, revision, toNewText(kind, body), author)
  if (!isSame && !editors.includes(author.id)) await deleteEditors(transaction, id, revision + 1, [author.id])
  return true
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
