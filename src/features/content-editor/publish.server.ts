import type { SignedInUser } from '../../auth/session.ts'
import { days, isoAfter } from '../../clock.ts'
import { type Author, insertPublication, lockContent, setDraftBase } from '../../content/documents.server.ts'
import { deleteEditors } from '../../content/editors.server.ts'
import { closeReview } from '../../content/reviews.server.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import type { Publication, PublishedVersion } from './contract.ts'
import { addRedirect, cancelScheduled, wasPublished } from './history.server.ts'
import { needsReview } from './needs-review.server.ts'
import { setPath } from './store.server.ts'
import { addVersionOfDraft, type ReadyVersion } from './version-of-draft.server.ts'

/** Milliseconds. A time further away is a typing error. */
const FURTHEST_SCHEDULE = days(2 * 365)

/** Who edits, and the log of the request. */
export interface EditorCall {
  readonly user: SignedInUser
  readonly log: AuditLog
}

export function toAuthor({ user: { id, name } }: EditorCall): Author & { readonly id: string } {
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
  const version = await inTransaction(db, async transaction => {
    await lockContent(transaction)
    if (await needsReview(settings, transaction)) throwReviewNeeded()
    const liveFrom = readTime(publication.liveFrom, clock())
    const added = await addVersionOfDraft({ clock, content }, transaction, publication, call.user)
    await closeReview(transaction, clock, id, 'replaced', author)
    await goLive(transaction, clock, added, liveFrom, call)
    const { number, createdAt } = added
    return { number, createdAt, author: author.name, note, liveFrom }
  })
  await content.refresh()
  return version
}

function throwReviewNeeded(): never {
  throwHttpError(409, 'Somebody else must approve this first: ask for a review', { code: 'review_needed' })
}

/** Makes a version live from a time on. Call it with the lock of `lockContent`. */
export async function goLive(
  transaction: Transaction,
  clock: Services['clock'],
  { document, id: versionId, number, path, revision }: ReadyVersion,
  liveFrom: string,
  call: EditorCall,
): Promise<void> {
  const { id } = document
  await cancelScheduled(transaction, clock, id)
  await movePath(transaction, clock, { id, before: document.path }, path)
  await insertPublication(transaction, clock, id, versionId, liveFrom, toAuthor(call))
  await setDraftBase(transaction, id, versionId, revision)
  // Until a schedule comes due, nobody has seen its words: its authors still count.
  if (liveFrom <= isoAfter(clock)) await deleteEditors(transaction, id, revision)
  const facts = { document: id, path, version: number, liveFrom }
  await call.log.within(transaction, 'info', 'API', 'Content published', facts)
}

/** @returns ISO 8601: now, if the time is left out or past */
export function readTime(liveFrom: string | null | undefined, now: Date): string {
  const time = liveFrom == null ? now : new Date(liveFrom)
  if (time.getTime() > now.getTime() + FURTHEST_SCHEDULE) {
    const error = 'Choose a time within two years'
    throwHttpError(400, error, { errors: { liveFrom: error } })
  }
  return (time > now ? time : now).toISOString()
}

/** A path that visitors may know redirects; one that only drafts had does not. */
async function movePath(
  transaction: Database,
  clock: Services['clock'],
  { id, before }: { readonly id: string; readonly before: string },
  path: string,
) {
  if (path === before) return
  if (await wasPublished(transaction, id)) await addRedirect(transaction, clock, before, id)
  await setPath(transaction, id, path)
}
