import { type SqlBool, sql } from 'kysely'
import { liveIdOf } from '../../../content/live.server.ts'
import { readOldAddress } from '../../../content/old-addresses.ts'
import { folders, isReserved } from '../../../content/reserved-paths.ts'
import { paged } from '../../../database/paged.ts'
import type { Database } from '../../../database/tables.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { type Clock, hours, isoAfter } from '../../../platform/clock.ts'
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
    return await changeContent(services, async transaction => {
      const outcomes: Outcome[] = []
      for (const named of redirects) outcomes.push(await addOne(transaction, clock, named, isTrial))
      const count = outcomes.filter(({ outcome }) => outcome === 'added' || outcome === 'changed').length
      if (count > 0 && !isTrial)
        await log.within(transaction, 'info', 'API', 'Old addresses added', {
          count,
          first: outcomes[0]?.from,
        })
      return { outcomes }
    })
  })

  serve(router, calls.remove, async ({ from }, { user, log }) => {
    await rateLimiter.consume(REDIRECT_CHANGES_PER_USER, user.id)
    await changeContent(services, async transaction => {
      const { numDeletedRows } = await transaction
        .deleteFrom('content_redirects')
        .where('language', '=', DEFAULT_LANGUAGE)
        .where('from_path', '=', from)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throwHttpError(404, 'There is no such old address')
      await log.within(transaction, 'info', 'API', 'Old address removed', { from })
    })
    return {}
  })
}

type Outcome = Awaited<ReturnType<typeof addOne>>

async function addOne(transaction: Database, clock: Clock, { from, to }: NamedRedirect, isTrial: boolean) {
  const refuse = (message: string) => ({ from, outcome: 'refused' as const, message })
  const target = await findTarget(transaction, to)
  if (!target) return refuse(`There is no page at ${to}`)
  const kept = await keepRedirect(transaction, clock, from, target, { replaces: true, isTrial })
  return typeof kept === 'string' ? refuse(kept) : { ...kept, message: '' }
}

interface Target {
  readonly documentId: string
  /** A fixed page; null for the path of the document. */
  readonly page: string | null
}

/** What is at a path of this site: never another site. The site document owns the fixed pages. */
async function findTarget(transaction: Database, to: string): Promise<Target | null> {
  const path = to.length > 1 ? to.replace(/\/$/, '') : to
  const page = fixedPages.find(fixed => fixed === path) ?? null
  const owner = await transaction
    .selectFrom('content_documents')
    .select('id')
    .where('language', '=', DEFAULT_LANGUAGE)
    .where('archived_at', 'is', null)
    .where('path', '=', page === null ? path : '/')
    .executeTakeFirst()
  return owner ? { documentId: owner.id, page } : null
}

interface Keeping {
  /** Whether an address that leads elsewhere now leads here from now on. */
  readonly replaces: boolean
  readonly isTrial?: boolean
}

/** Has an old address lead to a page. Call it with the `content` lock. @returns why it cannot, or what it was before */
export async function keepRedirect(
  transaction: Database,
  clock: Clock,
  written: string,
  { documentId, page }: Target,
  { replaces, isTrial = false }: Keeping,
): Promise<string | { from: string; outcome: 'added' | 'changed' | 'same' }> {
  const from = readOldAddress(written)
  if (from === null) return 'This is not the address of a page, such as /2021/03/fees'
  if (isOfProduct(from)) return `${from} belongs to the product`
  const owner = await findOwner(transaction, from)
  if (owner?.id === documentId) return { from, outcome: 'same' }
  if (owner) return `${from} is the address of a page that is there: ${owner.title}`
  const before = await findRow(transaction, from)
  const isSame = before?.document_id === documentId && before.to_path === page
  if (isSame && before.is_kept === 1) return { from, outcome: 'same' }
  if (before && !isSame && !replaces) return `${from} leads to another page already`
  if (!before && (await countNamed(transaction)) >= MAX_NAMED)
    return `There are ${MAX_NAMED} old addresses, which is the most that a site can have`
  const row = { document_id: documentId, to_path: page, is_kept: 1, created_at: isoAfter(clock) }
  if (!isTrial)
    await transaction
      .insertInto('content_redirects')
      .values({ language: DEFAULT_LANGUAGE, from_path: from, ...row })
      .onConflict(conflict => conflict.columns(['language', 'from_path']).doUpdateSet(row))
      .execute()
  return { from, outcome: before ? 'changed' : 'added' }
}

/** Articles and visas that were renamed have left addresses in the folders of the product. */
function isOfProduct(from: string): boolean {
  const isInFolder = Object.values(folders).some(folder => from.startsWith(folder))
  return isReserved(from) && !isInFolder
}

async function findOwner(transaction: Database, path: string) {
  return await transaction
    .selectFrom('content_documents as document')
    .innerJoin('content_drafts as draft', 'draft.document_id', 'document.id')
    .select(['document.id', 'draft.title'])
    .where('document.language', '=', DEFAULT_LANGUAGE)
    .where('document.archived_at', 'is', null)
    .where('document.path', '=', path)
    .executeTakeFirst()
}

async function findRow(transaction: Database, from: string) {
  return await transaction
    .selectFrom('content_redirects')
    .selectAll()
    .where('language', '=', DEFAULT_LANGUAGE)
    .where('from_path', '=', from)
    .executeTakeFirst()
}

async function countNamed(transaction: Database): Promise<number> {
  const query = transaction.selectFrom('content_redirects').select(eb => eb.fn.countAll().as('count'))
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
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, mark => `\\${mark}`)}%`
  return sql<SqlBool>`lower(redirect.from_path) like ${pattern} escape '\\'`
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
