import { findErrors, findFactNames, readBody, type StoredBody } from '../../content/bodies.ts'
import { type AddedVersion, type Author, insertVersion, SITE_PATH } from '../../content/documents.server.ts'
import { deleteEditors, listEditors, parseEditors } from '../../content/editors.server.ts'
import { listFacts } from '../../content/facts.server.ts'
import { parseStored, type TypedBody } from '../../content/typed-body.ts'
import type { ContentDraftRow, ContentKind } from '../../database/content-tables.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { checkClaims } from './check-claims.server.ts'
import { assertFits } from './check-size.server.ts'
import type { Override, Publication } from './contract.ts'
import { findLivePublication, wasLive } from './history.server.ts'
import { assertPathFree } from './paths.server.ts'
import { throwDraftChanged, throwNotFound } from './save-draft.server.ts'
import { type DocumentRow, findDocument, lockDraft } from './store.server.ts'

/** A version that may go live. */
export interface ReadyVersion extends Pick<AddedVersion, 'id' | 'number'> {
  readonly document: DocumentRow
  readonly path: string
  /** Of the draft that became the version. */
  readonly revision: number
}

/**
 * Makes a draft that may go live a version. Call it with the lock of `lockContent`.
 * @throws {HttpError} 400 with `errors` by path, 404, 409, 422
 */
export async function addVersionOfDraft(
  transaction: Database,
  clock: Services['clock'],
  { id, revision, note = '', overrides = [] }: Publication,
  author: Author,
): Promise<ReadyVersion & AddedVersion> {
  const now = clock()
  const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
  const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
  if (draft.revision !== revision) throwDraftChanged(document.kind, draft)
  const { path, findings } = await check(transaction, now, document, draft, overrides)
  const { body, schema } = draft
  await forgetSeen(transaction, now, draft)
  const editors = await listEditors(transaction, id)
  const version = { documentId: id, path, note, body, schema, findings: JSON.stringify(findings), editors }
  const added = await insertVersion(transaction, clock, version, author)
  return { ...added, document, path, revision }
}

/** Once a schedule has come due, visitors have seen its words: then only what was written since counts. */
async function forgetSeen(transaction: Database, now: Date, draft: ContentDraftRow) {
  const { document_id: id, base_version_id: versionId, base_revision: revision } = draft
  if (versionId === null || !(await wasLive(transaction, now, versionId))) return
  const query = transaction.selectFrom('content_versions').select('editors').where('id', '=', versionId)
  const { editors } = await query.executeTakeFirstOrThrow()
  await deleteEditors(transaction, id, revision, parseEditors(editors))
}

/** Checks what goes live, against what is live now. @throws {HttpError} 400 with `errors` by path, 409, 422 */
export async function check(
  transaction: Database,
  now: Date,
  document: DocumentRow,
  stored: StoredBody,
  overrides: readonly Override[],
) {
  await assertFits(transaction, now, document.id, stored.body)
  const body = await validate(transaction, document.kind, stored)
  const path = await readPath(transaction, now, document, body)
  const live = await readLive(transaction, now, document)
  return { path, findings: checkClaims({ draft: body, live, overrides }) }
}

/** @throws {HttpError} 400 */
async function validate(transaction: Database, kind: ContentKind, stored: StoredBody): Promise<TypedBody> {
  const body = readBody(kind, stored)
  const facts = await listFacts(transaction)
  const unknown = [...findFactNames(body)].filter(([, name]) => !facts.has(name))
  const errors = {
    ...Object.fromEntries(unknown.map(([path]) => [path, 'There is no such fact'])),
    ...findErrors(kind, body),
  }
  if (Object.keys(errors).length > 0)
    throwHttpError(400, 'Some fields are not ready to be published', { errors })
  return parseStored(kind, stored)
}

/** @throws {HttpError} 400, 409 */
async function readPath(
  transaction: Database,
  now: Date,
  { id }: DocumentRow,
  content: TypedBody,
): Promise<string> {
  if (content.kind === 'site') return SITE_PATH
  const { path } = content.body
  await assertPathFree(transaction, now, content.kind, path, id)
  return path
}

async function readLive(
  transaction: Database,
  now: Date,
  { id, kind }: DocumentRow,
): Promise<TypedBody | null> {
  const live = await findLivePublication(transaction, now, id)
  return live?.body != null && live.schema !== null
    ? parseStored(kind, { body: live.body, schema: live.schema })
    : null
}
