import { readBody } from '../../content/bodies.ts'
import { readOverrides, subclassesOf } from '../../content/claims/finding.ts'
import { hidesSamples, isSample, itemOf } from '../../content/claims/samples.ts'
import { listOverridden } from '../../content/live.server.ts'
import { officeOf } from '../../content/office/office.ts'
import { nextMorning } from '../../content/office/working-time.ts'
import { findOpenReview } from '../../content/reviews.server.ts'
import { listPeople } from '../../content/site-content.ts'
import { listVisas } from '../../content/visas.ts'
import type { ContentKind } from '../../database/content-tables.ts'
import type { Database } from '../../database/tables.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { hours } from '../../platform/clock.ts'
import { menuScreens, signInDocumentPaths } from '../../screens.ts'
import type { Services } from '../../services.ts'
import { fixedPaths, isThere } from '../site/live-documents.ts'
import { archiveDocument, unarchiveDocument, unpublish } from './archive.server.ts'
import { archive, type Claim, content as calls, claims, type OpenDocument } from './contract.ts'
import { createDocument, duplicateDocument } from './create.server.ts'
import { saveDraft, throwNotFound, toDraft } from './editor/save-draft.server.ts'
import { approveFact, changeFact, discardFact } from './facts/change-fact.server.ts'
import { facts } from './facts/contract.ts'
import { listFactsFor } from './facts/list-facts.server.ts'
import { describeField } from './forms/forms.ts'
import {
  findLivePublication,
  findScheduled,
  findVersion,
  type LivePublication,
  listVersions,
} from './history/history.server.ts'
import { restoreVersion } from './history/restore.server.ts'
import { findObstacles } from './history/version-of-draft.server.ts'
import { publish, toAuthor } from './publishing/publish.server.ts'
import { reviews } from './reviews/contract.ts'
import { needsReview } from './reviews/needs-review.server.ts'
import { approve, askForReview, closeUnapproved, findDeclined, toReview } from './reviews/review.server.ts'
import { findDocument, findDraft, findKind, listDocuments, listPaths, toDocument } from './store.server.ts'

export function serveContent(router: ApiRouter): void {
  const { services } = router
  const { db, clock, rateLimiter } = services

  serveFacts(router)

  serve(router, calls.list, query => listDocuments(db, clock(), query))

  // Before the calls with an id, which would match its path.
  serve(router, claims.list, async () => ({ claims: await listClaims(services) }))

  serve(router, calls.create, async (newDocument, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { document: await createDocument(services, newDocument, call) }
  })

  serve(router, calls.duplicate, async ({ id }, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { document: await duplicateDocument(services, id, call) }
  })

  serve(router, calls.open, ({ id }, { user }) => openDocument(services, id, user.id))

  serve(router, calls.saveDraft, async (change, call) => {
    await rateLimiter.consume(SAVES_PER_USER, call.user.id)
    return { revision: await saveDraft(services, change, toAuthor(call)) }
  })

  serve(router, calls.check, async ({ id }, { user }) => {
    // As much work as a save, after which it is called.
    await rateLimiter.consume(SAVES_PER_USER, user.id)
    return await findObstacles(services, db, id, user)
  })

  serve(router, calls.publish, async (publication, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { version: await publish(services, publication, call) }
  })

  serve(router, calls.unpublish, async ({ id }, call) => ({
    document: await unpublish(services, id, call),
  }))

  serve(router, calls.versions, async ({ id, limit, cursor }) => {
    if (!(await findKind(db, id))) throwNotFound()
    return await listVersions(db, id, limit, cursor)
  })

  serve(router, calls.version, async ({ id, number }) => {
    const kind = (await findKind(db, id)) ?? throwNotFound()
    const version = (await findVersion(db, id, number)) ?? throwHttpError(404, 'There is no such version')
    return { version: { ...version, body: readBody(kind, version) } }
  })

  serve(router, calls.restore, async ({ id, number }, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { draft: await restoreVersion(services, id, number, call) }
  })

  serve(router, archive.delete, async ({ id }, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    await archiveDocument(services, id, call)
    return {}
  })

  serve(router, archive.restore, async ({ id }, call) => {
    await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { document: await unarchiveDocument(services, id, call) }
  })

  serveReviews(router)
}

function serveReviews(router: ApiRouter) {
  const { services } = router

  serve(router, reviews.ask, async (publication, call) => {
    await services.rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { review: await askForReview(services, publication, call) }
  })

  serve(router, reviews.approve, async (approval, call) => ({
    version: await approve(services, approval, call),
  }))

  serve(router, reviews.decline, async (refusal, call) => {
    await closeUnapproved(services, refusal, 'declined', call)
    return {}
  })

  serve(router, reviews.withdraw, async (decision, call) => {
    await closeUnapproved(services, decision, 'withdrawn', call)
    return {}
  })
}

async function openDocument({ db, clock, settings, content, config }: Services, id: string, userId: string) {
  const now = clock()
  const row = (await findDocument(db, now, id)) ?? throwNotFound()
  const draft = (await findDraft(db, id)) ?? throwNotFound()
  const scheduled = await findScheduled(db, now, id)
  const review = await findOpenReview(db, id)
  const live = await findLivePublication(db, now, id)
  const current = content.read()
  const { site } = current
  const { pages, paths } = await listLinkTargets(db, current)
  return {
    document: toDocument(row),
    draft: toDraft(row.kind, draft),
    live: live ? toLive(row.kind, live) : null,
    scheduled: scheduled ? { number: scheduled.number, liveFrom: scheduled.live_from } : null,
    needsReview: await needsReview(settings, db),
    review: review ? toReview(review, userId) : null,
    declined: review ? null : await findDeclined(db, id),
    timeZone: site.company.timeZone,
    nextMorning: nextMorning(officeOf(site), now)?.toISOString() ?? null,
    pages,
    claims: {
      paths,
      people: listKnownPeople(current),
      recorded: readOverrides(live?.findings ?? '[]'),
      subclasses: Object.fromEntries(subclassesOf(listVisas(current))),
      hidesSamples: row.kind === 'site' && hidesSamples(config.publicUrl),
    },
  }
}

function toLive(kind: ContentKind, live: LivePublication): OpenDocument['live'] {
  const { number, path, live_from, created_at } = live
  // The first site is live from the beginning of time.
  const liveFrom = live_from > created_at ? live_from : created_at
  return { number, path, liveFrom, body: readBody(kind, live) }
}

/** The pages of the product, by path. */
const fixedTitles: Readonly<Record<(typeof fixedPaths)[number], string>> = {
  '/': 'Home',
  '/about-us': 'About Us',
  '/team': 'Team',
  '/contact': 'Contact',
  '/visas': 'Visas',
  '/news': 'News',
}

/** The team that visitors see, and the pages that name each of them. */
function listKnownPeople({ content, documents }: ReturnType<Services['content']['read']>) {
  const named = Map.groupBy(
    documents.values(),
    ({ content: { body } }) => ('agent' in body && body.agent) || '',
  )
  return listPeople(content).map(({ id, name }) => ({
    id,
    name,
    pages: (named.get(id) ?? []).map(({ content: { body } }) => body.title),
  }))
}

/** What a link may lead to: the pages that visitors can open now, those that only drafts are of, and all paths that lead to one. */
async function listLinkTargets(db: Database, live: ReturnType<Services['content']['read']>) {
  const { documents, redirects } = live
  const fixed = fixedPaths.filter(path => !documents.has(path))
  const there = fixed.filter(path => isThere(path, live))
  const ofProduct = fixed.map(path => ({ path, title: fixedTitles[path], isLive: there.includes(path) }))
  const published = [...documents].map(
    ([
      path,
      {
        content: { body },
      },
    ]) => ({
      ...{ path, title: body.title, isLive: true },
    }),
  )
  const drafts = (await listPaths(db))
    .filter(({ path }) => !documents.has(path))
    .map(page => ({ ...page, isLive: false }))
  const byTitle = [...published, ...drafts].sort((one, other) => one.title.localeCompare(other.title, 'en'))
  const staff = [...signInDocumentPaths, ...menuScreens.map(({ path }) => path)]
  return {
    pages: [...ofProduct, ...byTitle],
    // An empty list of news is a page too.
    paths: [...there, '/news', ...staff, ...documents.keys(), ...redirects.keys()],
  }
}

/** The claims of every live version that somebody took responsibility for, the site first, then by path. */
async function listClaims({ db, clock, content, config }: Services): Promise<Claim[]> {
  const { site, documents } = content.read()
  const hides = hidesSamples(config.publicUrl)
  const versions = await listOverridden(db, clock())
  return versions.flatMap(({ documentId: id, kind, path, number, findings, ...stored }) => {
    const title = kind === 'site' ? site.company.siteName : (documents.get(path)?.content.body.title ?? path)
    const body = readBody(kind, stored)
    return readOverrides(findings).map(override => ({
      ...override,
      document: { id, kind, path, title },
      version: number,
      field: describeField(kind, body, override.path),
      isHidden: hides && isSample(override) && itemOf(override.path) !== null,
    }))
  })
}

/** Serves the facts that documents refer to. Call it before documents are served, whose ids would match `facts`. */
function serveFacts(router: ApiRouter): void {
  const { services } = router

  serve(router, facts.list, async (_input, { user }) => ({ facts: await listFactsFor(services, user.id) }))

  serve(router, facts.change, async (change, call) => {
    await services.rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { fact: await changeFact(services, change, call) }
  })

  serve(router, facts.approve, async (decision, call) => {
    await services.rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)
    return { fact: await approveFact(services, decision, call) }
  })

  serve(router, facts.discard, async (decision, call) => ({
    fact: await discardFact(services, decision, call),
  }))
}

/** Two a second: one tab saves every 1.5 seconds at most, and nobody types in more than two for an hour. */
export const SAVES_PER_USER = { name: 'saved drafts', count: 7200, per: hours(1) }
/** Documents, publications, restored versions, deletions and facts, which all stay. Nobody makes five a minute for an hour. */
export const ADDITIONS_PER_USER = { name: 'additions to the content', count: 300, per: hours(1) }
