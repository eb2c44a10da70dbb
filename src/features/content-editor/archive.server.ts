import { currentSchema, findPictureIds, readBody } from '../../content/bodies.ts'
import { findMissing, insertPublication } from '../../content/documents.server.ts'
import { publicationClock } from '../../content/live.server.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { isoAfter, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { throwNotFound } from './editor/save-draft.server.ts'
import { cancelScheduled, findLivePublication, listEnded } from './history/history.server.ts'
import { assertNotFull, assertRoom } from './history/version-of-draft.server.ts'
import { assertPathFree, type PageKind } from './paths.server.ts'
import { changeContent, type EditorCall, readTime, toAuthor } from './publishing/publish.server.ts'
import { findDocument, logContent, setArchived, toDocument } from './store.server.ts'

/** Milliseconds. Enough to undo a slip. What was deleted longer ago may be out of date, so it comes back offline. */
const UNDO_TIME = minutes(10)

type Needed = Pick<Services, 'db' | 'clock' | 'content'>

/** Takes a document offline and out of the list; its path is free again. @throws {HttpError} 404, 409 */
export async function archiveDocument({ db, clock, content }: Needed, id: string, call: EditorCall) {
  await changeContent({ db, content }, async transaction => {
    // One time for all rows, by which an undo finds them.
    const now = await publicationClock(transaction, clock, id)
    const document = (await findDocument(transaction, now(), id)) ?? throwNotFound()
    if (document.kind === 'site') throwHttpError(409, 'The site itself cannot be deleted')
    const version = (await findLivePublication(transaction, now(), id))?.number ?? null
    await cancelScheduled(transaction, now, id)
    if (document.live_version_id !== null)
      await insertPublication(transaction, now, id, null, isoAfter(now), toAuthor(call))
    await setArchived(transaction, id, isoAfter(now))
    await logContent(transaction, call, 'Content deleted', { document: id, path: document.path, version })
  })
}

/**
 * Brings a deleted document back: soon afterwards as it was, later offline. Nothing becomes live that was not live or
 * scheduled when it was deleted. @throws {HttpError} 404, 409 when a path of it is taken, or the site is full
 */
export async function unarchiveDocument({ db, clock, content }: Needed, id: string, call: EditorCall) {
  return await changeContent({ db, content }, async transaction => {
    const query = transaction.selectFrom('content_documents').select(['kind', 'path', 'archived_at'])
    const found = (await query.where('id', '=', id).executeTakeFirst()) ?? throwNotFound()
    const { kind, path, archived_at: archivedAt } = found
    if (kind === 'site' || archivedAt === null) throwNotFound()
    await assertNotFull(transaction)
    await assertPathFree(transaction, clock(), kind, path, id)
    await setArchived(transaction, id, null)
    if (isoAfter(clock, -UNDO_TIME) <= archivedAt)
      await publishAgain(transaction, clock, { id, kind, archivedAt }, call)
    const version = (await findLivePublication(transaction, clock(), id))?.number ?? null
    await logContent(transaction, call, 'Content undeleted', { document: id, path, version })
    return toDocument((await findDocument(transaction, clock(), id)) ?? throwNotFound())
  })
}

/**
 * What an undo of the last deletions makes live, without a check, and may name a fact. A body that this node cannot read is
 * left to another.
 */
export async function listUndoableBodies(db: Database, now: Date, fact: string): Promise<unknown[]> {
  // A deletion has the time of another node, or one after what was scheduled of the document.
  const since = isoAfter(() => now, -UNDO_TIME - minutes(1))
  const query = db.selectFrom('content_documents').select(['id', 'kind', 'archived_at'])
  const bodies: unknown[] = []
  for (const { id, kind, archived_at } of await query.where('archived_at', '>=', since).execute())
    for (const { body, schema } of await listEnded(db, id, archived_at ?? ''))
      if (body.includes(fact) && schema <= currentSchema(kind)) bodies.push(readBody(kind, { body, schema }))
  return bodies
}

/** @throws {HttpError} 409 when another page has got the path of a version, or its room, or a picture of it is gone */
async function publishAgain(
  transaction: Database,
  clock: Services['clock'],
  { id, kind, archivedAt }: { id: string; kind: PageKind; archivedAt: string },
  call: EditorCall,
) {
  const seen = await publicationClock(transaction, clock, id)
  for (const { id: versionId, path, body, live_from } of await listEnded(transaction, id, archivedAt)) {
    await assertPathFree(transaction, clock(), kind, path, id)
    // Visitors have seen it, so it may be longer than a page may become.
    await assertRoom(transaction, clock(), id, body)
    await assertPictures(transaction, body)
    const liveFrom = readTime(live_from, seen())
    await insertPublication(transaction, seen, id, versionId, liveFrom, toAuthor(call))
  }
}

/** A picture may be deleted as soon as no page needs it. @throws {HttpError} 409 */
async function assertPictures(transaction: Database, body: string) {
  const missing = await findMissing(transaction, findPictureIds(JSON.parse(body)))
  if (missing.length > 0)
    throwHttpError(
      409,
      'A picture of this page has been deleted. Upload it again first, or wait ten minutes: then the page comes back offline.',
    )
}

/** Takes a document offline, and cancels what is scheduled. @throws {HttpError} 404, 409 */
export async function unpublish({ db, clock, content }: Needed, id: string, call: EditorCall) {
  return await changeContent({ db, content }, async transaction => {
    const seen = await publicationClock(transaction, clock, id)
    const before = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    if (before.kind === 'site') throwHttpError(409, 'The site itself cannot be taken offline')
    const version = (await findLivePublication(transaction, seen(), id))?.number ?? null
    const cancelled = await cancelScheduled(transaction, seen, id)
    const isLive = before.live_version_id !== null
    if (!isLive && cancelled === 0) throwHttpError(409, 'This is not published')
    if (isLive) await insertPublication(transaction, seen, id, null, isoAfter(seen), toAuthor(call))
    await logContent(transaction, call, 'Content taken offline', { document: id, path: before.path, version })
    return toDocument((await findDocument(transaction, clock(), id)) ?? throwNotFound())
  })
}
