import type * as z from 'zod/mini'
import {
  type Body,
  currentSchema,
  dropUnshown,
  findShapeErrors,
  isTooLong,
  readBody,
} from '../../../content/bodies.ts'
import { insertDocument, listEditors, MAX_DOCUMENTS, SITE_PATH } from '../../../content/documents.server.ts'
import { isEqual } from '../../../content/json.ts'
import { isReserved } from '../../../content/reserved-paths.ts'
import { titleOf } from '../../../content/schema.ts'
import type { ContentDraftRow, ContentKind } from '../../../database/content-tables.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { HttpError, throwHttpError } from '../../../http/http-error.ts'
import { parseJsonObject } from '../../../http/json.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { describeOfficeTime } from '../../../office-time.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import { nextTurn } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import { MAX_KEYS } from '../contract.ts'
import { findLivePublication } from '../history/history.server.ts'
import { assertNotFull } from '../history/version-of-draft.server.ts'
import { assertPathFree, type PageKind } from '../paths.server.ts'
import { type EditorCall, toAuthor } from '../publishing/publish.server.ts'
import { keepAddresses } from '../redirects/redirects.server.ts'
import { isChanged, lockDraft, logContent, toNewText, updateDraft } from '../store.server.ts'
import { moving as calls, type Imported, type ImportOutcome, OWN_ORIGIN, type Taken } from './contract.ts'

/** Ten documents each, so that all that a site can have is imported in an hour, a few times over. */
export const IMPORTS_PER_USER = { name: 'imports', count: 1000, per: hours(1) }

/** Serves the import. Call it before documents are served, whose ids would match its path. */
export function serveMoving(router: ApiRouter): void {
  const { services } = router
  const { db, rateLimiter } = services

  serve(router, calls.plan, async ({ documents, taken }, { user }) => {
    await rateLimiter.consume(IMPORTS_PER_USER, user.id)
    return await planPlaces(db, documents.map(withShownPath), taken)
  })

  serve(router, calls.import, async ({ documents, taken }, call) => {
    await rateLimiter.consume(IMPORTS_PER_USER, call.user.id)
    const outcomes: ImportOutcome[] = []
    for (const document of documents) {
      outcomes.push(await importOne(services, withShownPath(document), taken, call))
      await nextTurn()
    }
    return { outcomes }
  })
}

/** What a document is here already, if anything. */
interface Known {
  readonly id: string
  readonly kind: ContentKind
  readonly path: string
  readonly archivedAt: string | null
}

type Item = Pick<Imported, 'origin' | 'kind' | 'path'>

type Place = z.output<typeof calls.plan.reply>['places'][number]

/** Looking for a free number takes some microseconds for each that is not. */
const PLACES_PER_TURN = 50

/** Where each would be, one after the other: two that want the same address get two. */
async function planPlaces(db: Database, documents: readonly Item[], taken: Taken) {
  const rows = await selectDocuments(db).execute()
  const byPath = new Map(rows.flatMap(row => (row.archivedAt === null ? [[row.path, row] as const] : [])))
  const byId = new Map(rows.map(row => [row.id, row]))
  const origins = new Map(
    (await db.selectFrom('content_origins').select(['origin', 'document_id']).execute()).map(row => [
      row.origin,
      row.document_id,
    ]),
  )
  const used = new Set(byPath.keys())
  const placeOf = ({ origin, kind, path }: Item): Place => {
    const known = byId.get(origins.get(origin) ?? ownId(origin))
    if (known)
      return { path: known.path, state: known.archivedAt === null ? ('here' as const) : ('deleted' as const) }
    const same = taken === 'number' ? undefined : byPath.get(path)
    if (same?.kind === kind) return { path, state: 'here' as const }
    const free = kind === 'site' ? undefined : candidates(kind, path).find(each => !used.has(each))
    if (free === undefined) return { path, state: 'impossible' as const }
    used.add(free)
    return { path: free, state: 'new' as const }
  }
  const places: Place[] = []
  for (const [at, document] of documents.entries()) {
    places.push(placeOf(document))
    if (at % PLACES_PER_TURN === 0) await nextTurn()
  }
  return { places, room: Math.max(0, MAX_DOCUMENTS - byPath.size) }
}

function selectDocuments(db: Database) {
  return db
    .selectFrom('content_documents')
    .select(['id', 'kind', 'path', 'archived_at as archivedAt'])
    .where('language', '=', DEFAULT_LANGUAGE)
}

/** Numbers that are tried for an address that is taken. */
const MAX_NUMBER = 200

/** The addresses that a document may get, the best first. What belongs to the product becomes one name. */
function* candidates(kind: PageKind, path: string): Generator<string, undefined> {
  const parts = path.toLowerCase().split('/').filter(Boolean).map(toName).filter(Boolean)
  const folder = { page: '/', article: '/news/', visa: '/visas/' }[kind]
  const isNested = kind === 'page' && parts.length <= 3 && !isReserved(`/${parts.join('/')}`)
  const name = isNested ? parts.join('/') : toName((kind === 'page' ? parts : parts.slice(-1)).join('-'))
  const stem = folder + shorten(name || 'untitled', MAX_STEM - folder.length)
  if (kind !== 'page' || !isReserved(stem)) yield stem
  for (let number = 2; number <= MAX_NUMBER; number++) yield `${stem}-${number}`
}

/** Characters, so that a number has room behind it. */
const MAX_STEM = 95

const shorten = (name: string, length: number) => name.slice(0, length).replace(/[-/]+$/, '')
const toName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** Imports one document in a transaction of its own. What is wrong with it is an outcome, not an error. */
async function importOne(
  { db, clock, content }: Pick<Services, 'db' | 'clock' | 'content'>,
  document: Imported,
  taken: Taken,
  call: EditorCall,
): Promise<ImportOutcome> {
  const { origin, kind, path } = document
  const outcome = { origin, documentId: null, path, message: '', refusedAddresses: [] }
  try {
    const body = await readImported(kind, document.body)
    await nextTurn()
    return await inTransaction(db, async transaction => {
      await lock(transaction, 'content')
      const known = await findKnown(transaction, document, taken)
      if (known?.archivedAt) return { ...outcome, documentId: known.id, path: known.path, outcome: 'deleted' }
      if (known && known.kind !== kind) throwHttpError(409, `It is a ${known.kind} here`)
      const placed = known
        ? await keepOrReplace({ transaction, clock, content, call }, known, body, taken)
        : await addNew({ transaction, clock, call }, document, body)
      // What an editor has removed since a first import does not come back with a second one.
      const from = placed.outcome === 'kept' && taken === 'number' ? [] : document.from
      const refusedAddresses = await keepAddresses(transaction, clock, placed.id, from)
      return {
        ...outcome,
        ...{ outcome: placed.outcome, message: placed.message ?? '' },
        documentId: placed.id,
        path: placed.path,
        refusedAddresses,
      }
    })
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return { ...outcome, outcome: 'refused', message: error.message }
  }
}

/** @throws {HttpError} 400 or 413 when it is no body of this kind */
async function readImported(kind: ContentKind, json: string): Promise<Body> {
  const body = withoutUnshown(parseJsonObject(Buffer.from(json.toWellFormed()), MAX_KEYS))
  await nextTurn()
  if (isTooLong(body)) throwHttpError(413, 'This is too long for one document')
  const [path] = Object.keys(findShapeErrors(kind, body))
  if (path !== undefined)
    throwHttpError(400, `This is not the shape of such a document: ${path.slice(0, 100)}`)
  return body
}

const withShownPath = <Wanted extends Item>(item: Wanted): Wanted => ({
  ...item,
  path: dropUnshown(item.path),
})

/** Halves of characters and what no browser shows: PostgreSQL keeps no NUL. */
function withoutUnshown(body: Body): Body {
  const shown: unknown = JSON.parse(JSON.stringify(body), (_key, value) =>
    typeof value === 'string' ? dropUnshown(value) : value,
  )
  return { ...Object(shown) }
}

interface Writing {
  readonly transaction: Transaction
  readonly clock: Services['clock']
  readonly call: EditorCall
}

/** An archive may come back to where it was made: its documents have their ids there, also if they were renamed or deleted. */
const ownId = (origin: string) => (origin.startsWith(OWN_ORIGIN) ? origin.slice(OWN_ORIGIN.length) : '')

/** By its origin; by its address where that is not numbered. */
async function findKnown(
  transaction: Database,
  { origin, kind, path }: Imported,
  taken: Taken,
): Promise<Known | undefined> {
  const known = await selectDocuments(transaction)
    .innerJoin('content_origins', 'content_origins.document_id', 'content_documents.id')
    .where('content_origins.origin', '=', origin)
    .executeTakeFirst()
  const own = known ?? (await selectDocuments(transaction).where('id', '=', ownId(origin)).executeTakeFirst())
  if (own || taken === 'number') return own
  const same = selectDocuments(transaction).where('kind', '=', kind).where('archived_at', 'is', null)
  return await same.where('path', '=', kind === 'site' ? SITE_PATH : path).executeTakeFirst()
}

type Placed = Pick<Known, 'id' | 'path'> & { outcome: 'added' | 'replaced' | 'kept'; message?: string }

async function keepOrReplace(
  { transaction, clock, content, call }: Writing & Pick<Services, 'content'>,
  { id, kind, path }: Known,
  body: Body,
  taken: Taken,
): Promise<Placed> {
  const draft = taken === 'replace' ? await lockDraft(transaction, id) : undefined
  if (!draft || isEqual(readBody(kind, draft), body)) return { id, path, outcome: 'kept' }
  if (await isOfOthers(transaction, clock(), kind, draft, call.user.id)) {
    const time = describeOfficeTime(draft.edited_at, content.read().content.company.timeZone)
    const message = `it has changes that are not published: ${draft.edited_by} edited it last, on ${time}`
    return { id, path, outcome: 'kept', message }
  }
  await updateDraft(transaction, clock, id, draft.revision, toNewText(kind, body), toAuthor(call))
  await logContent(transaction, call, 'Content draft replaced by an import', {
    document: id,
    path,
    version: null,
  })
  return { id, path, outcome: 'replaced' }
}

/** Whether a draft has what others have written and nobody has published: no version would keep it. */
async function isOfOthers(
  transaction: Transaction,
  now: Date,
  kind: ContentKind,
  draft: ContentDraftRow,
  userId: string,
): Promise<boolean> {
  if (!isChanged(draft)) return false
  const editors = await listEditors(transaction, draft.document_id)
  if (editors.every(id => id === userId)) return false
  const live = await findLivePublication(transaction, now, draft.document_id)
  return !live || !isEqual(readBody(kind, draft), readBody(kind, live))
}

/** @throws {HttpError} 409 when there is no room, or no address */
async function addNew(
  { transaction, clock, call }: Writing,
  { origin, kind, path: wanted }: Imported,
  body: Body,
): Promise<Placed> {
  if (kind === 'site') throwHttpError(409, 'There is one site document, and it stays')
  await assertNotFull(transaction)
  const path = await findFree(transaction, clock(), kind, wanted)
  const own = { ...body, path }
  const stored = { body: JSON.stringify(own), schema: currentSchema(kind), title: titleOf(own) }
  const id = await insertDocument(transaction, clock, { kind, path, ...stored }, toAuthor(call))
  const created_at = isoAfter(clock)
  await transaction.insertInto('content_origins').values({ origin, document_id: id, created_at }).execute()
  await logContent(transaction, call, 'Content imported', { document: id, path, version: null }, { kind })
  return { id, path, outcome: 'added' }
}

async function findFree(transaction: Database, now: Date, kind: PageKind, wanted: string): Promise<string> {
  for (const path of candidates(kind, wanted)) {
    try {
      await assertPathFree(transaction, now, kind, path, null)
      return path
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
  }
  return throwHttpError(409, `No address like ${wanted} is free`)
}
