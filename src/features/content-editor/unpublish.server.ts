import { isoAfter } from '../../clock.ts'
import { insertPublication } from '../../content/documents.server.ts'
import { publicationClock } from '../../content/publication-clock.server.ts'
import { lock } from '../../database/locks.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import type { ContentDocument } from './contract.ts'
import { cancelScheduled, findLivePublication } from './history.server.ts'
import { logContent } from './log-content.server.ts'
import { type EditorCall, toAuthor } from './publish.server.ts'
import { throwNotFound } from './save-draft.server.ts'
import { findDocument, toDocument } from './store.server.ts'

/** Takes a document offline, and cancels what is scheduled. @throws {HttpError} 404, 409 */
export async function unpublish(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  id: string,
  call: EditorCall,
): Promise<ContentDocument> {
  const document = await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const seen = await publicationClock(transaction, clock, id)
    const before = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    if (before.kind === 'site') throwHttpError(409, 'The site itself cannot be taken offline')
    const version = (await findLivePublication(transaction, seen(), id))?.number ?? null
    const cancelled = await cancelScheduled(transaction, seen, id)
    const isLive = before.live_version_id !== null
    if (!isLive && cancelled === 0) throwHttpError(409, 'This is not published')
    if (isLive) await insertPublication(transaction, seen, id, null, isoAfter(seen), toAuthor(call))
    await logContent(transaction, call, 'Content taken offline', { document: id, path: before.path, version })
    const after = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    return toDocument(after)
  })
  await content.refresh()
  return document
}
