import type { StoredBody } from '../../content/bodies.ts'
import { readBody } from '../../content/bodies.ts'
import type { ContentKind } from '../../database/content-tables.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { content, type OpenDocument } from './contract.ts'
import { claims } from './contract-claims.ts'
import { createDocument } from './create-document.server.ts'
import { findLivePublication, findScheduled, findVersion, listVersions } from './history.server.ts'
import { listClaims } from './list-claims.server.ts'
import { publish, toAuthor } from './publish.server.ts'
import { restoreVersion } from './restore.server.ts'
import { saveDraft, throwNotFound, toDraft } from './save-draft.server.ts'
import { findDocument, findDraft, listDocuments, toDocument } from './store.server.ts'
import { unpublish } from './unpublish.server.ts'

/** Serves the calls with which staff edit what the public pages show. */
export function serveContent(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, content.list, query => listDocuments(db, clock(), query))

  serve(router, content.create, async (newDocument, call) => ({
    document: await createDocument(services, newDocument, call),
  }))

  // Before the calls with an id, which would match its path.
  serve(router, claims.list, async () => ({ claims: await listClaims(services) }))

  serve(router, content.open, ({ id }) => openDocument(services, id))

  serve(router, content.saveDraft, async (change, call) => ({
    revision: await saveDraft(services, change, toAuthor(call)),
  }))

  serve(router, content.publish, async (publication, call) => ({
    version: await publish(services, publication, call),
  }))

  serve(router, content.unpublish, async ({ id }, call) => ({
    document: await unpublish(services, id, call),
  }))

  serve(router, content.versions, async ({ id, limit, cursor }) => {
    await findKind(services, id)
    return await listVersions(db, id, limit, cursor)
  })

  serve(router, content.version, async ({ id, number }) => {
    const kind = await findKind(services, id)
    const version = (await findVersion(db, id, number)) ?? throwHttpError(404, 'There is no such version')
    return { version: { ...version, body: readBody(kind, version) } }
  })

  serve(router, content.restore, async ({ id, number }, call) => ({
    draft: await restoreVersion(services, id, number, call),
  }))
}

async function findKind({ db, clock }: Services, id: string): Promise<ContentKind> {
  return (await findDocument(db, clock(), id))?.kind ?? throwNotFound()
}

async function openDocument({ db, clock }: Services, id: string): Promise<OpenDocument> {
  const now = clock()
  const row = (await findDocument(db, now, id)) ?? throwNotFound()
  const draft = (await findDraft(db, id)) ?? throwNotFound()
  const scheduled = await findScheduled(db, now, id)
  return {
    document: toDocument(row),
    draft: toDraft(row.kind, draft),
    live: toLive(row.kind, await findLivePublication(db, now, id)),
    scheduled: scheduled?.number != null ? { number: scheduled.number, liveFrom: scheduled.live_from } : null,
  }
}

function toLive(
  kind: ContentKind,
  live: Awaited<ReturnType<typeof findLivePublication>>,
): OpenDocument['live'] {
  if (live?.number == null || live.path === null) return null
  const stored = toStored(live)
  return (
    stored && { number: live.number, path: live.path, liveFrom: live.live_from, body: readBody(kind, stored) }
  )
}

function toStored({ body, schema }: { body: string | null; schema: number | null }): StoredBody | null {
  return body === null || schema === null ? null : { body, schema }
}
