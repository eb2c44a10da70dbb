import type { StoredBody } from '../../content/bodies.ts'
import { readBody } from '../../content/bodies.ts'
import { subclassesOf } from '../../content/claims/claim-context.ts'
import { readOverrides } from '../../content/claims/overrides.ts'
import { hidesSamples } from '../../content/claims/samples.ts'
import { officeOf } from '../../content/office.ts'
import { findOpenReview } from '../../content/reviews.server.ts'
import { listVisas } from '../../content/visas.ts'
import { nextMorning } from '../../content/working-time.ts'
import type { ContentKind } from '../../database/content-tables.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { archiveDocument, unarchiveDocument } from './archive.server.ts'
import { content as calls, type OpenDocument } from './contract.ts'
import { archive } from './contract-archive.ts'
import { claims } from './contract-claims.ts'
import { reviews } from './contract-reviews.ts'
import { createDocument } from './create-document.server.ts'
import { serveFacts } from './facts-api.server.ts'
import { findLivePublication, findScheduled, findVersion, listVersions } from './history.server.ts'
import { ADDITIONS_PER_USER, SAVES_PER_USER } from './limits.ts'
import { listLinkTargets } from './link-targets.server.ts'
import { listClaims } from './list-claims.server.ts'
import { needsReview } from './needs-review.server.ts'
import { publish, toAuthor } from './publish.server.ts'
import { restoreVersion } from './restore.server.ts'
import { approve, askForReview, decline, findDeclined, toReview, withdraw } from './review.server.ts'
import { saveDraft, throwNotFound, toDraft } from './save-draft.server.ts'
import { findDocument, findDraft, listDocuments, toDocument } from './store.server.ts'
import { unpublish } from './unpublish.server.ts'
import { findObstacles } from './version-of-draft.server.ts'

/** Serves the calls with which staff edit what the public pages show. */
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
    await findKind(services, id)
    return await listVersions(db, id, limit, cursor)
  })

  serve(router, calls.version, async ({ id, number }) => {
    const kind = await findKind(services, id)
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
    await decline(services, refusal, call)
    return {}
  })

  serve(router, reviews.withdraw, async (decision, call) => {
    await withdraw(services, decision, call)
    return {}
  })
}

async function findKind({ db, clock }: Services, id: string): Promise<ContentKind> {
  return (await findDocument(db, clock(), id))?.kind ?? throwNotFound()
}

/** @param userId of the reader */
async function openDocument(
  { db, clock, settings, content, config }: Services,
  id: string,
  userId: string,
): Promise<OpenDocument> {
  const now = clock()
  const row = (await findDocument(db, now, id)) ?? throwNotFound()
  const draft = (await findDraft(db, id)) ?? throwNotFound()
  const scheduled = await findScheduled(db, now, id)
  const review = await findOpenReview(db, id)
  const live = await findLivePublication(db, now, id)
  const current = content.read()
  const { site } = current
  const { pages, paths } = listLinkTargets(current)
  return {
    document: toDocument(row),
    draft: toDraft(row.kind, draft),
    live: toLive(row.kind, live),
    scheduled: scheduled?.number != null ? { number: scheduled.number, liveFrom: scheduled.live_from } : null,
    needsReview: await needsReview(settings, db),
    review: review ? toReview(review, userId) : null,
    declined: review ? null : await findDeclined(db, id),
    timeZone: site.company.timeZone,
    nextMorning: nextMorning(officeOf(site), now)?.toISOString() ?? null,
    pages,
    claims: {
      paths,
      recorded: readOverrides(live?.findings ?? '[]'),
      subclasses: Object.fromEntries(subclassesOf(listVisas(current))),
      hidesSamples: row.kind === 'site' && hidesSamples(config.publicUrl),
    },
  }
}

function toLive(
  kind: ContentKind,
  live: Awaited<ReturnType<typeof findLivePublication>>,
): OpenDocument['live'] {
  if (live?.number == null || live.path === null) return null
  const stored = toStored(live)
  // The first site is live from the beginning of time.
  const liveFrom = live.live_from > live.created_at ? live.live_from : live.created_at
  return stored && { number: live.number, path: live.path, liveFrom, body: readBody(kind, stored) }
}

function toStored({ body, schema }: { body: string | null; schema: number | null }): StoredBody | null {
  return body === null || schema === null ? null : { body, schema }
}
