import { type SqlBool, sql } from 'kysely'
import type * as z from 'zod/mini'
import { SITE_PATH } from '../../../content/documents.server.ts'
import { liveIdOf, markRedirects } from '../../../content/live.server.ts'
import { readOldAddress } from '../../../content/old-addresses.ts'
import { folders, isFile, isReserved } from '../../../content/reserved-paths.ts'
import { paged } from '../../../database/paged.ts'
import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { type Clock, hours, isoAfter } from '../../../platform/clock.ts'
import { takeTurns } from '../../../platform/turns.ts'
import { changeContent } from '../publishing/publish.server.ts'
import { redirects as calls, fixedPages, MAX_NAMED, type NamedRedirect, type Redirect } from './contract.ts'

/** Files in parts, and single ones. Each call is a change of what every node shows. */
export const REDIRECT_CHANGES_PER_USER = { name: 'changed old addresses', count: 600, per: hours(1) }

/** Serves the old addresses. Call it before documents are served, whose ids would match the path. */
export function serveRedirects(router: ApiRouter): void {
  const { services } = router
  const { db, clock, rateLimiter } = services

  serve(router, calls.list, query => listRedirectsPage(db, clock(), query))

  serve(router, calls.add, async ({ redirects, isTrial = false }, { user, log }) => {
    await rateLimiter.consume(REDIRECT_CHANGES_PER_USER, user.id)
    if (isTrial) return { outcomes: (await judgeAll(db, clock, redirects)).outcomes }
    return await changeContent(services, async transaction => {
      const { outcomes, rows } = await judgeAll(transaction, clock, redirects)
      await writeRows(transaction, clock, rows)
      if (rows.length > 0)
        await log.within(transaction, 'info', 'API', 'Old addresses added', {
          count: rows.length,
          ...describeChanges(redirects, outcomes),
        })
      return { outcomes }
    })
  })

  serve(router, calls.remove, async ({ from }, { user, log }) => {
    await rateLimiter.consume(REDIRECT_CHANGES_PER_USER, user.id)
    await changeContent(services, async transaction => {
      const removed = await transaction
        .deleteFrom('content_redirects')
        .where('language', '=', DEFAULT_LANGUAGE)
        .where('from_path', '=', from)
        .returning(['document_id', 'to_path'])
        .executeTakeFirst()
      if (!removed) throwHttpError(404, 'There is no such old address')
      await markRedirects(transaction, clock)
      const to = removed.to_path ?? (await findPath(transaction, removed.document_id))
      await log.within(transaction, 'info', 'API', 'Old address removed', { from, to })
    })
    return {}
  })
}

type Named = z.output<typeof calls.add.reply>['outcomes'][number]

/** What becomes of each, one after the other, and the rows that it takes. Nothing is written. */
async function judgeAll(db: Database, clock: Clock, redirects: readonly NamedRedirect[]) {
  const known = await readKnown(db, redirects)
  const nextTurn = await takeTurns()
  const outcomes: Named[] = []
  const rows = new Map<string, RedirectRow>()
  for (const { from, to } of redirects) {
    const target = findTarget(known, to)
    const judged = target ? judge(known, clock, from, target, true) : `There is no page at ${to}`
    const field = target ? 'from' : 'to'
    if (typeof judged === 'string') outcomes.push({ from, outcome: 'refused', message: judged, field })
    else {
      const { row, ...outcome } = judged
      if (row) rows.set(row.from_path, row)
      outcomes.push({ ...outcome, message: '', field: null })
    }
    await nextTurn()
  }
  return { outcomes, rows: [...rows.values()] }
}

/** All that changed, each with where it leads, as far as an entry of the log has room. */
function describeChanges(redirects: readonly NamedRedirect[], outcomes: readonly Named[]) {
  const changed = outcomes.flatMap(({ from, outcome }, at) =>
    outcome === 'added' || outcome === 'changed' ? [{ from, to: redirects[at]?.to ?? '' }] : [],
  )
  return { from: changed.map(({ from }) => from), to: changed.map(({ to }) => to) }
}

async function findPath(transaction: Database, id: string): Promise<string | null> {
  const query = transaction.selectFrom('content_documents').select('path').where('id', '=', id)
  return (await query.executeTakeFirst())?.path ?? null
}

interface Target {
  readonly documentId: string
  /** A fixed page; null for the path of the document. */
  readonly page: string | null
}

/** What is at a path of this site: never another site. The site document owns the fixed pages. */
function findTarget({ owners }: Known, to: string): Target | null {
  const path = withoutSlash(to)
  const page = fixedPages.find(fixed => fixed === path) ?? null
  const owner = owners.get(page === null ? path : SITE_PATH)
  return owner ? { documentId: owner.id, page } : null
}

const withoutSlash = (to: string) => (to.length > 1 ? to.replace(/\/$/, '') : to)

type RedirectRow = Awaited<ReturnType<typeof listRows>>[number]

/** What old addresses are compared with, read at once for all of a call. */
interface Known {
  readonly owners: ReadonlyMap<string, { readonly id: string; readonly title: string }>
  readonly rows: Map<string, RedirectRow>
  /** How many staff have named, with those of the call. */
  named: number
}

async function readKnown(db: Database, redirects: readonly NamedRedirect[]): Promise<Known> {
  const from = redirects.flatMap(each => readOldAddress(each.from) ?? [])
  const to = redirects.map(each => withoutSlash(each.to))
  return {
    owners: new Map(
      (await listOwners(db, [...new Set([SITE_PATH, ...from, ...to])])).map(row => [row.path, row]),
    ),
    rows: new Map((await listRows(db, [...new Set(from)])).map(row => [row.from_path, row])),
    named: await countNamed(db),
  }
}

/**
 * Has old addresses lead to a document, unless they lead elsewhere already. Call it with the `content` lock.
 * @returns those that cannot, each with the reason
 */
export async function keepAddresses(
  transaction: Database,
  clock: Clock,
  documentId: string,
  from: readonly string[],
): Promise<{ from: string; message: string }[]> {
  if (from.length === 0) return []
  const refused: { from: string; message: string }[] = []
  const known = await readKnown(
    transaction,
    from.map(address => ({ from: address, to: SITE_PATH })),
  )
  const rows = new Map<string, RedirectRow>()
  for (const address of from) {
    const judged = judge(known, clock, address, { documentId, page: null }, false)
    if (typeof judged === 'string') refused.push({ from: address, message: judged })
    else if (judged.row) rows.set(judged.from, judged.row)
  }
  await writeRows(transaction, clock, [...rows.values()])
  return refused
}

/** @returns why an old address cannot lead to a page, or what it was before, and the row that it takes */
function judge(
  known: Known,
  clock: Clock,
  written: string,
  { documentId, page }: Target,
  /** Whether an address that leads elsewhere now leads here from now on. */
  replaces: boolean,
): string | { from: string; outcome: 'added' | 'changed' | 'same'; row: RedirectRow | null } {
  const from = readOldAddress(written)
  if (from === null) return 'This is not the address of a page, such as /2021/03/fees'
  if (isOfProduct(from)) return `${from} belongs to the product`
  const owner = known.owners.get(from)
  if (owner?.id === documentId) return { from, outcome: 'same', row: null }
  if (owner) return `${from} is the address of a page that is there: ${owner.title}`
  const before = known.rows.get(from)
  const isSame = before?.document_id === documentId && before.to_path === page
  if (isSame && before.is_kept === 1) return { from, outcome: 'same', row: null }
  if (before && !isSame && !replaces) return `${from} leads to another page already`
  if (!before && known.named >= MAX_NAMED)
    return `There are ${MAX_NAMED} old addresses, which is the most that a site can have`
  const kept = { language: DEFAULT_LANGUAGE, is_kept: 1, created_at: isoAfter(clock) }
  const row = { ...kept, from_path: from, document_id: documentId, to_path: page }
  known.rows.set(from, row)
  if (!before) known.named++
  return { from, outcome: before ? 'changed' : 'added', row }
}

/** @param rows no two of one address */
async function writeRows(transaction: Database, clock: Clock, rows: readonly RedirectRow[]): Promise<void> {
  if (rows.length === 0) return
  await transaction
    .insertInto('content_redirects')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['language', 'from_path']).doUpdateSet(eb => ({
        document_id: eb.ref('excluded.document_id'),
        to_path: eb.ref('excluded.to_path'),
        is_kept: eb.ref('excluded.is_kept'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .execute()
  await markRedirects(transaction, clock)
}

/** Articles and visas that were renamed have left addresses in the folders of the product. */
function isOfProduct(from: string): boolean {
  const isInFolder = Object.values(folders).some(folder => from.startsWith(folder))
  if (isFile(from)) return true
  return isReserved(from) && !isInFolder
}

async function listOwners(db: Database, paths: readonly string[]) {
  return await db
    .selectFrom('content_documents as document')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .select(['document.path', 'document.id', 'draft.title'])
    .where('document.language', '=', DEFAULT_LANGUAGE)
    .where('document.archived_at', 'is', null)
    .where('document.path', 'in', paths)
    .execute()
}

async function listRows(db: Database, from: readonly string[]) {
  if (from.length === 0) return []
  return await db
    .selectFrom('content_redirects')
    .selectAll()
    .where('language', '=', DEFAULT_LANGUAGE)
    .where('from_path', 'in', from)
    .execute()
}

async function countNamed(db: Database): Promise<number> {
  const query = db.selectFrom('content_redirects').select(eb => eb.fn.countAll().as('count'))
  return Number((await query.where('is_kept', '=', 1).executeTakeFirstOrThrow()).count)
}

async function listRedirectsPage(
  db: Database,
  now: Date,
  { limit, cursor, q }: { limit: number; cursor?: string | undefined; q?: string | undefined },
) {
  const query = db
    .selectFrom('content_redirects as redirect')
    .innerJoin('content_documents as document', 'document.id', 'redirect.document_id')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .where('redirect.language', '=', DEFAULT_LANGUAGE)
    .$if(Boolean(q), select => select.where(isPart(q ?? '')))
    .select([
      'redirect.from_path',
      'redirect.to_path',
      'redirect.created_at',
      'document.id',
      'document.path',
      'document.archived_at',
      'draft.title',
    ])
    .select(eb =>
      eb
        .selectFrom('content_publications')
        .select('version_id')
        .where('id', '=', liveIdOf('document.id', now.toISOString()))
        .as('live_version_id'),
    )
  const after = cursor === undefined ? undefined : [cursor]
  const { rows, last } = await paged(query, { order: ['from_path'], direction: 'asc', after, limit })
  return { redirects: rows.map(toRedirect), nextCursor: last?.from_path ?? null }
}

function isPart(q: string) {
  // SQLite makes only A to Z small, so what is searched for may have capitals of other alphabets there.
  const [small, other] = [q.toLowerCase(), q.toUpperCase().replace(/[A-Z]/g, sign => sign.toLowerCase())]
  const [one, two] = [small, other].map(text => `%${text.replace(/[\\%_]/g, mark => `\\${mark}`)}%`)
  return sql<SqlBool>`(lower(redirect.from_path) like ${one} escape '\\' or lower(redirect.from_path) like ${two} escape '\\')`
}

interface Row {
  readonly from_path: string
  readonly to_path: string | null
  readonly created_at: string
  readonly id: string
  readonly path: string
  readonly archived_at: string | null
  readonly title: string
  readonly live_version_id: string | null
}

function toRedirect(row: Row): Redirect {
  const { from_path: from, to_path: page, title, created_at: createdAt } = row
  const isLive = page !== null || (row.archived_at === null && row.live_version_id !== null)
  return {
    ...{ from, to: page ?? row.path, title: page ?? title, createdAt, isLive },
    documentId: page === null ? row.id : null,
  }
}
