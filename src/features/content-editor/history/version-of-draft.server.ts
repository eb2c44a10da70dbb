import { sql } from 'kysely'
import type { SignedInUser } from '../../../auth/session.ts'
import {
  type Body,
  type BodyErrors,
  findErrors,
  findFactNames,
  findPictureIds,
  parseStored,
  readBody,
  type StoredBody,
  type TypedBody,
} from '../../../content/bodies.ts'
import { readOverrides } from '../../../content/claims/finding.ts'
import {
  type AddedVersion,
  deleteEditors,
  findMissing,
  insertVersion,
  listEditors,
  MAX_DOCUMENTS,
  parseEditors,
  SITE_PATH,
} from '../../../content/documents.server.ts'
import { isLiveOrScheduled } from '../../../content/live.server.ts'
import { findOpenReview } from '../../../content/reviews.server.ts'
import { listFacts } from '../../../content/store.server.ts'
import type { ContentDraftRow, ContentKind } from '../../../database/content-tables.ts'
import type { Database } from '../../../database/tables.ts'
import { HttpError, throwHttpError } from '../../../http/http-error.ts'
import { isLogo } from '../../../pictures/store.server.ts'
import type { Services } from '../../../services.ts'
import {
  type CheckedBody,
  type ClaimCheck,
  checkClaims,
  findOpenClaims,
  MAX_FINDINGS,
  prepareClaims,
} from '../claims/check-claims.server.ts'
import type { Publication } from '../contract.ts'
import { throwDraftChanged, throwNotFound } from '../editor/save-draft.server.ts'
import { assertPathFree, type PageKind } from '../paths.server.ts'
import { type DocumentRow, findDocument, findDraft, lockDraft } from '../store.server.ts'
import { findLivePublication, wasLive } from './history.server.ts'

export interface ReadyVersion extends Pick<AddedVersion, 'id' | 'number'> {
  readonly document: DocumentRow
  readonly path: string
  /** Of the draft that became the version. */
  readonly revision: number
}

/**
 * Reads what a publication is about to check before it locks anything: the draft, what waits for approval, and what is live.
 * What changes in between is read again then.
 */
export async function prepareCheck(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  id: string,
): Promise<void> {
  const now = clock()
  const document = await findDocument(db, now, id)
  if (!document) return
  const stored = [
    await findDraft(db, id),
    await findOpenReview(db, id),
    await findLivePublication(db, now, id),
  ]
  for (const own of stored.filter(it => it !== undefined)) {
    if (Buffer.byteLength(own.body) > MAX_PUBLISHED) continue
    const isValid = Object.keys(findErrors(document.kind, readBody(document.kind, own))).length === 0
    if (!isValid) continue
    await prepareClaims(toChecked(parseStored(document.kind, own), own), { content: content.read(), now })
  }
}

const toChecked = (typed: TypedBody, { body }: StoredBody): CheckedBody => ({ typed, text: body })

/**
 * Makes a draft that may go live a version. Call it with the `content` lock.
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
  const errors = await findBodyErrors(transaction, document.kind, readBody(document.kind, stored))
  if (Object.keys(errors).length > 0)
    throwHttpError(400, 'Some fields are not ready to be published', { errors })
  const body = parseStored(document.kind, stored)
  const path = body.kind === 'site' ? SITE_PATH : body.body.path
  if (body.kind !== 'site') await assertPathFree(transaction, now, body.kind, path, document.id)
  const live = await readLive(transaction, now, document)
  return { path, findings: checkClaims({ draft: toChecked(body, stored), ...live, ...claims }) }
}

/** All that keeps a draft from being published, whatever it is, so that nobody puts it right in rounds. */
export async function findObstacles(
  { clock, content }: Pick<Services, 'clock' | 'content'>,
  db: Database,
  id: string,
  user: SignedInUser,
) {
  const now = clock()
  const document = (await findDocument(db, now, id)) ?? throwNotFound()
  const draft = (await findDraft(db, id)) ?? throwNotFound()
  const { kind } = document
  // Publishing refuses it for its size, before it looks at anything else.
  if (Buffer.byteLength(draft.body) > MAX_PUBLISHED) return { errors: {}, findings: [] }
  const body = readBody(kind, draft)
  const errors = await findBodyErrors(db, kind, body)
  const pathError = kind === 'site' || errors.path ? null : await findPathError(db, now, kind, body.path, id)
  const live = await readLive(db, now, document)
  const checked = { typed: { kind, body }, text: draft.body }
  const read = { now, content: content.read() }
  for (const each of [checked, live.live]) if (each) await prepareClaims(each, read)
  const { blocking } = findOpenClaims({ draft: checked, ...live, overrides: [], user, ...read })
  return {
    errors: { ...errors, ...(pathError && { path: pathError }) },
    findings: blocking.slice(0, MAX_FINDINGS),
  }
}

async function findPathError(db: Database, now: Date, kind: PageKind, path: unknown, id: string) {
  try {
    await assertPathFree(db, now, kind, String(path), id)
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.message
    throw error
  }
}

const LOGO_PATH = 'brand.logo.picture'

async function findBodyErrors(transaction: Database, kind: ContentKind, body: Body): Promise<BodyErrors> {
  const facts = await listFacts(transaction)
  const unknown = findFactNames(body).filter(([, name]) => !facts.has(name))
  const pictures = findPictureIds(body)
  const missing = await findMissing(transaction, pictures)
  const logo = kind === 'site' ? pictures.get(LOGO_PATH) : undefined
  const isNoLogo = logo !== undefined && !(await isLogo(transaction, logo))
  return {
    ...(isNoLogo && { [LOGO_PATH]: 'This picture is no logo: upload it as one' }),
    ...Object.fromEntries(unknown.map(([path]) => [path, 'There is no such fact'])),
    ...Object.fromEntries(missing.map(path => [path, 'This picture has been deleted'])),
    ...findErrors(kind, body),
  }
}

async function readLive(transaction: Database, now: Date, { id, kind }: DocumentRow) {
  const live = await findLivePublication(transaction, now, id)
  if (!live) return { live: null, recorded: [] }
  return { live: toChecked(parseStored(kind, live), live), recorded: readOverrides(live.findings) }
}

/** Bytes in JSON. Ten times a long page; larger ones would make every node slow to read. */
export const MAX_PUBLISHED = 256 * 1024
export const TOO_LONG = 'This is too long for one page. Make two pages of it.'
/** Bytes in JSON of all that is live or scheduled. In memory it takes several times that, on every node and at every start. */
export const MAX_ALL_PUBLISHED = 32 * 1024 * 1024

/** Checks that one more document fits. Call it with the `content` lock. @throws {HttpError} 409 */
export async function assertNotFull(transaction: Database): Promise<void> {
  const query = transaction.selectFrom('content_documents').select(eb => eb.fn.countAll().as('count'))
  const { count } = await query.where('archived_at', 'is', null).executeTakeFirstOrThrow()
  if (Number(count) >= MAX_DOCUMENTS)
    throwHttpError(409, `There are ${MAX_DOCUMENTS} pages, which is the most that a site can have`)
}

/** Checks that a body may go live. Call it with the `content` lock. @throws {HttpError} 400, 409 */
async function assertFits(transaction: Database, now: Date, documentId: string, body: string): Promise<void> {
  if (Buffer.byteLength(body) > MAX_PUBLISHED) throwHttpError(400, TOO_LONG)
  await assertRoom(transaction, now, documentId, body)
}

/** Checks that a body fits in the memory of a node. Call it with the `content` lock. @throws {HttpError} 409 */
export async function assertRoom(transaction: Database, now: Date, documentId: string, body: string) {
  const size = Buffer.byteLength(body)
  if (size + (await measureOthers(transaction, now, documentId)) > MAX_ALL_PUBLISHED)
    throwHttpError(409, 'The site has no room for this. Shorten it, or take other pages offline.')
}

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
