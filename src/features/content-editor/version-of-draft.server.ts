import type { SignedInUser } from '../../auth/session.ts'
import { findErrors, findFactNames, findPictureIds, readBody, type StoredBody } from '../../content/bodies.ts'
import { readOverrides } from '../../content/claims/overrides.ts'
import { type AddedVersion, insertVersion, SITE_PATH } from '../../content/documents.server.ts'
import { deleteEditors, listEditors, parseEditors } from '../../content/editors.server.ts'
import { listFacts } from '../../content/facts.server.ts'
import { parseStored, type TypedBody } from '../../content/typed-body.ts'
import type { ContentDraftRow, ContentKind } from '../../database/content-tables.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { findMissing } from '../../pictures/named.server.ts'
import type { Services } from '../../services.ts'
import { type ClaimCheck, checkClaims } from './check-claims.server.ts'
import { assertFits } from './check-size.server.ts'
import type { Publication } from './contract.ts'
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
  { clock, content }: Pick<Services, 'clock' | 'content'>,
  transaction: Database,
  { id, revision, note = '', overrides = [] }: Publication,
  user: SignedInUser,
): Promise<ReadyVersion & AddedVersion> {
  const now = clock()
  const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
  const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
  if (draft.revision !== revision) throwDraftChanged(document.kind, draft)
  const given = { overrides, user, now, content: content.read() }
  const { path, findings } = await check(transaction, document, draft, given)
  const { body, schema } = draft
  await forgetSeen(transaction, now, draft)
  const editors = await listEditors(transaction, id)
  const version = { documentId: id, path, note, body, schema, findings: JSON.stringify(findings), editors }
  const added = await insertVersion(transaction, clock, version, user)
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

/**
 * Checks what goes live, against what is live now.
 * @param claims the reasons of what is live hold on, unless it has `recorded` ones
 * @throws {HttpError} 400 with `errors` by path, 409, 422
 */
export async function check(
  transaction: Database,
  document: DocumentRow,
  stored: StoredBody,
  claims: Omit<ClaimCheck, 'draft' | 'live' | 'recorded'> & Partial<Pick<ClaimCheck, 'recorded'>>,
) {
  const { now } = claims
  await assertFits(transaction, now, document.id, stored.body)
  const body = await validate(transaction, document.kind, stored)
  const path = await readPath(transaction, now, document, body)
  const live = await readLive(transaction, now, document)
  return { path, findings: checkClaims({ draft: body, ...live, ...claims }) }
}

/** @throws {HttpError} 400 */
async function validate(transaction: Database, kind: ContentKind, stored: StoredBody): Promise<TypedBody> {
  const body = readBody(kind, stored)
  const facts = await listFacts(transaction)
  const unknown = [...findFactNames(body)].filter(([, name]) => !facts.has(name))
  const missing = await findMissing(transaction, findPictureIds(body))
  const errors = {
    ...Object.fromEntries(unknown.map(([path]) => [path, 'There is no such fact'])),
    ...Object.fromEntries(missing.map(path => [path, 'This picture has been deleted'])),
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
): Promise<Pick<ClaimCheck, 'live' | 'recorded'>> {
  const live = await findLivePublication(transaction, now, id)
  if (live?.body == null || live.schema === null) return { live: null, recorded: [] }
  const { body, schema, findings } = live
  return { live: parseStored(kind, { body, schema }), recorded: readOverrides(findings ?? '[]') }
}
