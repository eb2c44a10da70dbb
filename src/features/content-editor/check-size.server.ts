import { sql } from 'kysely'
import { isFull, MAX_DOCUMENTS } from '../../content/documents.server.ts'
import { isLiveOrScheduled } from '../../content/publication-clock.server.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'

/** Bytes in JSON. Ten times a long page; larger ones would make every node slow to read. */
export const MAX_PUBLISHED = 256 * 1024
export const TOO_LONG = 'This is too long for one page. Make two pages of it.'
/** Bytes in JSON of all that is live or scheduled. In memory it takes several times that, on every node and at every start. */
export const MAX_ALL_PUBLISHED = 32 * 1024 * 1024

/** Checks that one more document fits. Call it with the `content` lock. @throws {HttpError} 409 */
export async function assertNotFull(transaction: Database): Promise<void> {
  if (await isFull(transaction))
    throwHttpError(409, `There are ${MAX_DOCUMENTS} pages, which is the most that a site can have`)
}

/** Checks that a body may go live. Call it with the `content` lock. @throws {HttpError} 400, 409 */
export async function assertFits(
  transaction: Database,
  now: Date,
  documentId: string,
  body: string,
): Promise<void> {
  if (Buffer.byteLength(body) > MAX_PUBLISHED) throwHttpError(400, TOO_LONG)
  await assertRoom(transaction, now, documentId, body)
}

/** Checks that a body fits in the memory of a node. Call it with the `content` lock. @throws {HttpError} 409 */
export async function assertRoom(
  transaction: Database,
  now: Date,
  documentId: string,
  body: string,
): Promise<void> {
  const size = Buffer.byteLength(body)
  if (size + (await measureOthers(transaction, now, documentId)) > MAX_ALL_PUBLISHED)
    throwHttpError(409, 'The site has no room for this. Shorten it, or take other pages offline.')
}

/** Bytes of what is live or scheduled of other documents. */
async function measureOthers(transaction: Database, now: Date, documentId: string): Promise<number> {
  const { size } = await transaction
    .selectFrom('content_publications as publication')
    .innerJoin('content_versions as version', 'version.id', 'publication.version_id')
    .select(sql<number | string | null>`sum(octet_length(version.body))`.as('size'))
    .where('publication.document_id', '!=', documentId)
    .where('publication.cancelled_at', 'is', null)
    .where(isLiveOrScheduled(now.toISOString()))
    .executeTakeFirstOrThrow()
  return Number(size)
}
