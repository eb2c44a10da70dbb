import type { SignedInUser } from '../../../auth/session.ts'
import {
  deleteEditorAt,
  deleteEditors,
  insertPublication,
  setDraftBase,
} from '../../../content/documents.server.ts'
import { publicationClock } from '../../../content/live.server.ts'
import { closeReview, type Person } from '../../../content/reviews.server.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, isOpen, type Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { replies } from '../../../i18n/texts.ts'
import type { AuditLog } from '../../../log/logger.ts'
import { describeOfficeTime } from '../../../office-time.ts'
import { days, isoAfter, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { type Publication, type PublishedVersion, TIME_PASSED } from '../contract.ts'
import { addRedirect, cancelScheduled, wasPublished } from '../history/history.server.ts'
import { addVersionOfDraft, prepareCheck, type ReadyVersion } from '../history/version-of-draft.server.ts'
import { needsReview } from '../reviews/needs-review.server.ts'
import { logContent } from '../store.server.ts'

/** Milliseconds. A time further away is a typing error. */
const FURTHEST_SCHEDULE = days(2 * 365)
/** Milliseconds. Somebody who chooses the present minute means now, and clocks differ a little. */
const STILL_NOW = minutes(1)

export interface EditorCall {
  readonly user: SignedInUser
  readonly log: AuditLog
}

export function toAuthor({ user: { id, name } }: EditorCall): Person {
  return { id, name }
}

type Needed = Pick<Services, 'db' | 'clock' | 'content' | 'settings'>

/**
 * Makes a draft a version that is live now or from a time on, in place of what was scheduled before. When it resolves,
 * this node shows it. @throws {HttpError} 400 with `errors` by path, 404, 409, 422
 */
export async function publish(
  { db, clock, content, settings }: Needed,
  publication: Publication,
  call: EditorCall,
): Promise<PublishedVersion> {
  const { id, note = '' } = publication
  const author = toAuthor(call)
  const prepare = () => prepareCheck({ db, clock, content }, id)
  return await changeChecked({ db, content }, prepare, async transaction => {
    if (await needsReview(settings, transaction)) throwReviewNeeded()
    const { liveFrom, seen } = await readSchedule({ clock, content }, transaction, id, publication.liveFrom)
    const added = await addVersionOfDraft({ clock, content }, transaction, publication, call.user)
    await closeReview(transaction, clock, id, 'replaced', author)
    await goLive(transaction, seen, added, liveFrom, call)
    const { number, createdAt } = added
    return { number, createdAt, author: author.name, note, liveFrom }
  })
}

/** Does `work` while nobody else changes content. When it resolves, this node shows it. */
export async function changeContent<Result>(
  { db, content }: Pick<Services, 'db' | 'content'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    return await work(transaction)
  })
  await content.refresh()
  return result
}

/** Times that others may change content between a check and the change: it is less than a second each. */
const MAX_CHECKS = 5

/**
 * The same for a change that depends on all that is live. A check of it takes too long to be made while others wait, so it is
 * made again when they have changed something meanwhile. @throws {HttpError} 503 when they do so again and again
 */
export async function changeChecked<Result>(
  { db, content }: Pick<Services, 'db' | 'content'>,
  check: () => Promise<void>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let checks = 0; checks < MAX_CHECKS; checks++) {
    await content.refresh()
    await check()
    const done = await changeContent({ db, content }, async transaction =>
      // Nobody else sees what the transaction that this joins has changed.
      isOpen(db) || (await content.isCurrent(transaction)) ? { result: await work(transaction) } : null,
    )
    if (done) return done.result
  }
  throwHttpError(503, replies.unavailable, { retryAfter: 1 })
}

function throwReviewNeeded(): never {
  throwHttpError(409, 'Somebody else must approve this first: ask for a review', { code: 'review_needed' })
}

/** Makes a version live from a time on. @param clock that of `publicationClock` */
export async function goLive(
  transaction: Transaction,
  clock: Services['clock'],
  { document, id: versionId, number, path, revision }: ReadyVersion,
  liveFrom: string,
  call: EditorCall,
): Promise<void> {
  const { id } = document
  await cancelScheduled(transaction, clock, id)
  if (path !== document.path) {
    // A path that visitors may know redirects; one that only drafts had does not.
    if (await wasPublished(transaction, id)) await addRedirect(transaction, clock, document.path, id)
    await transaction.updateTable('content_documents').set({ path }).where('id', '=', id).execute()
  }
  await insertPublication(transaction, clock, id, versionId, liveFrom, toAuthor(call))
  await setDraftBase(transaction, id, versionId, revision)
  // Until a schedule comes due, nobody has seen its words: its authors still count.
  if (liveFrom <= isoAfter(clock)) {
    await deleteEditors(transaction, id, revision)
    if (revision < 0) await deleteEditorAt(transaction, id, -revision)
  }
  const change = { document: id, path, version: number }
  await logContent(transaction, call, 'Content published', change, { liveFrom })
}

/**
 * Reads when a document is to go live. Call it with the `content` lock.
 * @returns that time, and the clock of `publicationClock`
 * @throws {HttpError} 400
 */
export async function readSchedule(
  { clock, content }: Pick<Services, 'clock' | 'content'>,
  transaction: Database,
  documentId: string,
  liveFrom: string | null | undefined,
) {
  const now = clock()
  const seen = await publicationClock(transaction, () => now, documentId)
  const time = new Date(liveFrom ?? now)
  if (now.getTime() - time.getTime() > STILL_NOW) throwWrongTime(TIME_PASSED)
  if (time > now && time <= seen()) {
    const { timeZone } = content.read().content.company
    const last = describeOfficeTime(seen().toISOString(), timeZone)
    throwWrongTime(
      `The clock went back: this was last published or scheduled at ${last}. Choose a later time, or publish now.`,
    )
  }
  return { liveFrom: readTime(liveFrom, seen()), seen }
}

/** @returns ISO 8601: now, if the time is left out or has just passed. @throws {HttpError} 400 */
export function readTime(liveFrom: string | null | undefined, now: Date): string {
  const time = new Date(liveFrom ?? now)
  if (time.getTime() > now.getTime() + FURTHEST_SCHEDULE) throwWrongTime('Choose a time within two years')
  return (time > now ? time : now).toISOString()
}

function throwWrongTime(error: string): never {
  throwHttpError(400, error, { errors: { liveFrom: error } })
}
