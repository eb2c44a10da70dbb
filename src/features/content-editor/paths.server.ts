import { isLiveOrScheduled } from '../../content/live.server.ts'
import { folders, isReserved } from '../../content/reserved-paths.ts'
import { DocumentPath } from '../../content/schema.ts'
import type { ContentKind } from '../../database/content-tables.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { DEFAULT_LANGUAGE } from '../../i18n/texts.ts'

export type PageKind = Exclude<ContentKind, 'site'>

/**
 * Checks that a document may have a path. Call it with the `content` lock.
 * @param documentId the document, or null for one that does not exist yet
 * @throws {HttpError} 400 when it is not a path, 409 when it belongs to the product or to another document
 */
export async function assertPathFree(
  transaction: Database,
  now: Date,
  kind: PageKind,
  path: string,
  documentId: string | null,
): Promise<void> {
  const error = findPathError(kind, path)
  if (error) throwHttpError(400, error, { errors: { path: error } })
  if (kind === 'page' && isReserved(path) && !(await hasPath(transaction, path, documentId)))
    throwHttpError(409, `${path} belongs to the product. Choose another address.`)
  if (await isTaken(transaction, now, path, documentId))
    throwHttpError(409, `Another page has the address ${path}`, { code: 'path_taken' })
}

function findPathError(kind: PageKind, path: string): string | null {
  const { error } = DocumentPath.safeParse(path)
  if (error) return error.issues[0]?.message ?? 'Give an address'
  if (kind === 'page') return null
  const folder = folders[kind]
  const isInFolder = path.startsWith(folder) && !path.slice(folder.length).includes('/')
  return isInFolder ? null : `Give an address such as ${folder}example`
}

/** A page that had its path before the product took it keeps it. */
async function hasPath(transaction: Database, path: string, documentId: string | null): Promise<boolean> {
  if (documentId === null) return false
  const documents = transaction.selectFrom('content_documents').select('id')
  const own = documents.where('id', '=', documentId).where('path', '=', path)
  return (await own.executeTakeFirst()) !== undefined
}

/** A path is taken by the document that has it, and by one that is live or scheduled at it. */
async function isTaken(transaction: Database, now: Date, path: string, documentId: string | null) {
  const owner = await transaction
    .selectFrom('content_documents')
    .select('id')
    .where('language', '=', DEFAULT_LANGUAGE)
    .where('path', '=', path)
    .where('archived_at', 'is', null)
    .$if(documentId !== null, select => select.where('id', '!=', documentId ?? ''))
    .executeTakeFirst()
  return owner !== undefined || (await isPublishedAt(transaction, now, path, documentId))
}

async function isPublishedAt(transaction: Database, now: Date, path: string, documentId: string | null) {
  const found = await transaction
    .selectFrom('content_versions as version')
    .innerJoin('content_publications as publication', 'publication.version_id', 'version.id')
    .select('publication.id')
    .where('version.path', '=', path)
    .where('publication.cancelled_at', 'is', null)
    .$if(documentId !== null, select => select.where('version.document_id', '!=', documentId ?? ''))
    .where(isLiveOrScheduled(now.toISOString()))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
