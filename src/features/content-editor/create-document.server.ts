import { currentSchema } from '../../content/bodies.ts'
import { insertDocument } from '../../content/documents.server.ts'
import { emptyBody } from '../../content/empty-bodies.ts'
import { lock } from '../../database/locks.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Services } from '../../services.ts'
import { assertNotFull } from './check-size.server.ts'
import type { ContentDocument, NewDocument } from './contract.ts'
import { logContent } from './log-content.server.ts'
import { assertPathFree } from './paths.server.ts'
import { type EditorCall, toAuthor } from './publish.server.ts'
import { throwNotFound } from './save-draft.server.ts'
import { findDocument, toDocument } from './store.server.ts'

/** Adds a document with an empty draft. @throws {HttpError} 400, 409 */
export async function createDocument(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, path, title }: NewDocument,
  call: EditorCall,
): Promise<ContentDocument> {
  const stored = { body: JSON.stringify(emptyBody(kind, path, title)), schema: currentSchema(kind) }
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    await assertNotFull(transaction)
    await assertPathFree(transaction, clock(), kind, path, null)
    const id = await insertDocument(transaction, clock, { kind, path, title, ...stored }, toAuthor(call))
    const row = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    await logContent(transaction, call, 'Content added', { document: id, path, version: null }, { kind })
    return toDocument(row)
  })
}
