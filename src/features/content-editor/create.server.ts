import { currentSchema, readBody } from '../../content/bodies.ts'
import { addEditors, insertDocument, listEditors } from '../../content/documents.server.ts'
import { emptyBody } from '../../content/page-bodies.ts'
import { MAX_PATH, MAX_TITLE } from '../../content/schema.ts'
import type { ContentKind } from '../../database/content-tables.ts'
import { lock } from '../../database/locks.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { HttpError, throwHttpError } from '../../http/http-error.ts'
import { templateBlocks } from '../../sample/pages.server.ts'
import type { Services } from '../../services.ts'
import type { ContentDocument, NewDocument } from './contract.ts'
import { throwNotFound } from './editor/save-draft.server.ts'
import { assertNotFull } from './history/version-of-draft.server.ts'
import { assertPathFree, type PageKind } from './paths.server.ts'
import { type EditorCall, toAuthor } from './publishing/publish.server.ts'
import { findDocument, findDraft, logContent, toDocument } from './store.server.ts'

/** Adds a document with an empty draft, or with what a template says. @throws {HttpError} 400, 409 */
export async function createDocument(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, path, title, template }: NewDocument,
  call: EditorCall,
): Promise<ContentDocument> {
  const body = { ...emptyBody(kind, path, title), ...(template && { blocks: templateBlocks(template) }) }
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    await assertPathFree(transaction, clock(), kind, path, null)
    return toDocument(await insert(transaction, clock, { kind, path, title, body }, call))
  })
}

/** Copies of one page that are looked for; after so many, somebody chooses an address. */
const MAX_COPIES = 50

/**
 * Adds a document with the draft of another one, offline and at an address of its own. Who wrote that draft wrote the copy too,
 * so that nobody approves their own words. @throws {HttpError} 404 for one that was deleted, 409
 */
export async function duplicateDocument(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  id: string,
  call: EditorCall,
): Promise<ContentDocument> {
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const { kind, path: of } = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    const draft = (await findDraft(transaction, id)) ?? throwNotFound()
    if (kind === 'site') throwHttpError(409, 'There is one site, which cannot be duplicated')
    const path = await freePath(transaction, clock(), kind, of)
    const title = `${cut(draft.title, MAX_TITLE - COPY.length).trimEnd()}${COPY}`
    const body = { ...readBody(kind, draft), path, title }
    const row = await insert(transaction, clock, { kind, path, title, body }, call)
    await addEditors(transaction, row.id, await listEditors(transaction, id), 1)
    return toDocument(row)
  })
}

const COPY = ' (copy)'

/** No more than so many characters, and no half of one. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

async function insert(
  transaction: Transaction,
  clock: Services['clock'],
  { body, ...document }: { kind: ContentKind; path: string; title: string; body: object },
  call: EditorCall,
) {
  await assertNotFull(transaction)
  const { kind, path } = document
  const stored = { body: JSON.stringify(body), schema: currentSchema(kind) }
  const id = await insertDocument(transaction, clock, { ...document, ...stored }, toAuthor(call))
  await logContent(transaction, call, 'Content added', { document: id, path, version: null }, { kind })
  return (await findDocument(transaction, clock(), id)) ?? throwNotFound()
}

/** `/fees-copy`, or the first free one of `/fees-copy-2` and so on. */
async function freePath(db: Database, now: Date, kind: PageKind, of: string): Promise<string> {
  for (let copy = 1; copy <= MAX_COPIES; copy++) {
    const end = copy === 1 ? '-copy' : `-copy-${copy}`
    const path = of.slice(0, MAX_PATH - end.length).replace(/[-/]+$/, '') + end
    if (await isFree(db, now, kind, path)) return path
  }
  throwHttpError(409, 'There are too many copies of this page. Give one of them another address.')
}

async function isFree(db: Database, now: Date, kind: PageKind, path: string): Promise<boolean> {
  try {
    await assertPathFree(db, now, kind, path, null)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status === 409) return false
    throw error
  }
}
