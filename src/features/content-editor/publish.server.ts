import type { SignedInUser } from '../../auth/session.ts'
import { days } from '../../clock.ts'
import { findErrors, findFactNames, readBody } from '../../content/bodies.ts'
import { readOverrides } from '../../content/claims/overrides.ts'
import {
  type AddedVersion,
  type Author,
  insertPublication,
  insertVersion,
  lockContent,
  SITE_PATH,
  setDraftBase,
} from '../../content/documents.server.ts'
import { listFacts } from '../../content/facts.server.ts'
import { parseStored, type TypedBody } from '../../content/typed-body.ts'
import type { ContentDraftRow, ContentKind } from '../../database/content-tables.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import { type ClaimCheck, checkClaims } from './check-claims.server.ts'
import type { Publication } from './contract.ts'
import { addRedirect, cancelScheduled, findLivePublication } from './history.server.ts'
import { assertPathFree } from './paths.server.ts'
import { throwDraftChanged, throwNotFound } from './save-draft.server.ts'
import { type DocumentRow, findDocument, lockDraft, setPath } from './store.server.ts'

/** Milliseconds. A time further away is a typing error. */
const FURTHEST_SCHEDULE = days(2 * 365)

/** Who edits, and the log of the request. */
export interface EditorCall {
  readonly user: SignedInUser
  readonly log: AuditLog
}

export function toAuthor({ user }: EditorCall): Author {
  return { id: user.id, name: user.name }
}

export interface PublishedVersion extends AddedVersion {
  readonly author: string
  readonly note: string
  readonly liveFrom: string
}

type Needed = Pick<Services, 'db' | 'clock' | 'content'>

/**
 * Makes a draft a version that is live now or from a time on, in place of what was scheduled before. When it resolves,
 * this node shows it. @throws {HttpError} 400 with `errors` by path, 404, 409, 422
 */
export async function publish(
  { db, clock, content }: Needed,
  publication: Publication,
  call: EditorCall,
): Promise<PublishedVersion> {
  const { id, note = '' } = publication
  const author = toAuthor(call)
  const version = await inTransaction(db, async transaction => {
    await lockContent(transaction)
    const now = clock()
    const liveFrom = readTime(publication.liveFrom, now)
    const document = (await findDocument(transaction, now, id)) ?? throwNotFound()
    const draft = (await lockDraft(transaction, id)) ?? throwNotFound()
    if (draft.revision !== publication.revision) throwDraftChanged(document.kind, draft)
    const body = await validate(transaction, document.kind, draft)
    const path = await readPath(transaction, now, document, body)
    const live = await readLive(transaction, now, document)
    const given = { overrides: publication.overrides ?? [], user: call.user }
    const findings = checkClaims({ draft: body, ...live, ...given, now, content: content.read() })
    const stored = { body: draft.body, schema: draft.schema, findings: JSON.stringify(findings) }
    const added = await insertVersion(transaction, clock, { documentId: id, path, note, ...stored }, author)
    await cancelScheduled(transaction, clock, id)
    await insertPublication(transaction, clock, id, added.id, liveFrom, author)
    await setDraftBase(transaction, id, added.id, draft.revision)
    await movePath(transaction, clock, document, path)
    const facts = { document: id, path, version: added.number, liveFrom }
    await call.log.within(transaction, 'info', 'API', 'Content published', facts)
    return { ...added, author: author.name, note, liveFrom }
  })
  await content.refresh()
  return version
}

/** @returns ISO 8601 */
function readTime(liveFrom: string | undefined, now: Date): string {
  const time = liveFrom === undefined ? now : new Date(liveFrom)
  if (time.getTime() > now.getTime() + FURTHEST_SCHEDULE) {
    const error = 'Choose a time within two years'
    throwHttpError(400, error, { errors: { liveFrom: error } })
  }
  return (time > now ? time : now).toISOString()
}

/** @throws {HttpError} 400 */
async function validate(
  transaction: Database,
  kind: ContentKind,
  draft: ContentDraftRow,
): Promise<TypedBody> {
  const body = readBody(kind, draft)
  const facts = await listFacts(transaction)
  const unknown = [...findFactNames(body)].filter(([, name]) => !facts.has(name))
  const errors = {
    ...Object.fromEntries(unknown.map(([path]) => [path, 'There is no such fact'])),
    ...findErrors(kind, body),
  }
  if (Object.keys(errors).length > 0)
    throwHttpError(400, 'Some fields are not ready to be published', { errors })
  return parseStored(kind, draft)
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

/** A path that visitors may know redirects; one that only drafts had does not. */
async function movePath(
  transaction: Database,
  clock: Services['clock'],
  { id, path: before, base_version_id }: DocumentRow,
  path: string,
) {
  if (path === before) return
  if (base_version_id !== null) await addRedirect(transaction, clock, before, id)
  await setPath(transaction, id, path)
}
