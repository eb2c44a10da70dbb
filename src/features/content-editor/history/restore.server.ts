import { readBody } from '../../../content/bodies.ts'
import {
  addEditors,
  deleteEditors,
  insertVersion,
  listEditors,
  parseEditors,
  setDraftBase,
} from '../../../content/documents.server.ts'
import type { ContentDraftRow } from '../../../database/content-tables.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import type { Services } from '../../../services.ts'
import type { Draft } from '../contract.ts'
import { throwNotFound, toDraft } from '../editor/save-draft.server.ts'
import { type EditorCall, toAuthor } from '../publishing/publish.server.ts'
import {
  type DocumentRow,
  findDocument,
  findDraft,
  isChanged,
  lockDraft,
  logContent,
  toNewText,
  updateDraft,
} from '../store.server.ts'
import { findVersion, type VersionRow, wasLive } from './history.server.ts'

/**
 * Makes an old version the draft. A draft that is no version yet is kept as one, so that nothing is lost.
 * @throws {HttpError} 404
 */
export async function restoreVersion(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  id: string,
  number: number,
  call: EditorCall,
): Promise<Draft> {
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    const document = (await findDocument(transaction, clock(), id)) ?? throwNotFound()
    const before = (await lockDraft(transaction, id)) ?? throwNotFound()
    const version =
      (await findVersion(transaction, id, number)) ?? throwHttpError(404, 'There is no such version')
    if (isChanged(before)) await keepDraft(transaction, clock, document, before, number)
    const body = readBody(document.kind, version)
    const text = toNewText(document.kind, body)
    const revision = before.revision + 1
    await deleteEditors(transaction, id, before.revision)
    await updateDraft(transaction, clock, id, before.revision, text, toAuthor(call))
    await addEditors(transaction, id, await listWriters(transaction, clock(), version), revision)
    await setDraftBase(transaction, id, version.id, revision)
    const change = { document: id, path: document.path, version: number }
    await logContent(transaction, call, 'Content version restored', change)
    const after = (await findDraft(transaction, id)) ?? throwNotFound()
    return toDraft(document.kind, after)
  })
}

/** Whose words of a version were never approved: nobody's, if visitors have seen it. */
async function listWriters(transaction: Database, now: Date, version: VersionRow) {
  if (await wasLive(transaction, now, version.id)) return []
  return [version.author_id, ...parseEditors(version.editors)]
}

async function keepDraft(
  transaction: Database,
  clock: Services['clock'],
  { id, path }: DocumentRow,
  { body, schema, edited_by_id, edited_by }: ContentDraftRow,
  number: number,
) {
  const note = `Draft before version ${number} was restored`
  const editors = await listEditors(transaction, id)
  const version = { documentId: id, path, body, schema, note, findings: '[]', editors }
  await insertVersion(transaction, clock, version, { id: edited_by_id, name: edited_by })
}
