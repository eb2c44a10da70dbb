import { isGranted } from '../../../auth/permissions.ts'
import { findSession, type Session } from '../../../auth/session.ts'
import {
  type BodyErrors,
  findErrors,
  findFactNames,
  readDraft,
  type StoredBody,
  type TypedBody,
} from '../../../content/bodies.ts'
import { findSampleParts, findStrayPin } from '../../../content/claims/sample-parts.server.ts'
import type { Fact, Facts } from '../../../content/facts.ts'
import { toContent } from '../../../content/site-content.ts'
import type { ContentKind } from '../../../database/content-tables.ts'
import { requestContext } from '../../../http/api-router.ts'
import { hasBearer } from '../../../http/request-checks.ts'
import type { AppContext, HonoApp } from '../../../http/responses.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { describeError } from '../../../log/logger.ts'
import { documentPage, pages } from '../../../pages.tsx'
import { minutes } from '../../../platform/clock.ts'
import { nextTurn } from '../../../platform/turns.ts'
import type { Services } from '../../../services.ts'
import { editable } from '../../site/blocks/editable.ts'
import type { PageServer, PreviewedPage } from '../../site/serve-pages.server.tsx'
import type { SiteSettings } from '../../site/site-settings.ts'
import { content } from '../contract.ts'
import { describeField } from '../forms/forms.ts'
import { findVersion } from '../history/history.server.ts'
import { MAX_PUBLISHED, TOO_LONG } from '../history/version-of-draft.server.ts'
import { findDocument, findDraft } from '../store.server.ts'
import { respondEmailPreview, signInPreview } from './brand-preview.server.tsx'

/** Each is rendered, which takes a few milliseconds. Somebody who types gets forty a minute. */
const PREVIEWS_PER_USER = { name: 'previews', count: 60, per: minutes(1) }

const PATH = '/preview/:id'

type Stored = StoredBody & { readonly kind: ContentKind }

/**
 * The page of a draft or of an old version, for those who may read it in the portal. Everybody else gets the same 404 as for
 * any path, whether there is such a document or not.
 */
export function servePreview(app: HonoApp, services: Services, pageServer: PageServer): void {
  app.get(`${PATH}/*`, async context => {
    const session = await findReader(services, context)
    if (!session) return await pageServer.respondNotFound(context.req.raw)
    await services.localRateLimiter.consume(PREVIEWS_PER_USER, session.user.id)
    const stored = await findBody(services, context.req.param('id'), context.req.query('version'))
    const draft = stored && readDraft(stored.kind, stored)
    // Reading a mebibyte takes long enough for a turn of its own.
    await nextTurn()
    const path = context.req.path.split('/').slice(3).join('/')
    const page = draft && (draft.kind === 'site' && path === 'email' ? path : pageOf(draft, path))
    if (!page) return await pageServer.respondNotFound(context.req.raw)
    const isTooLong = Buffer.byteLength(stored.body) > MAX_PUBLISHED
    if (isTooLong) return await respondUnshown(pageServer, draft, isTooLong)
    return await respondPreview(services, pageServer, page, draft)
  })
}

/** The same permission as for the calls that read a document, and only with a session: a token is for programs. */
async function findReader(services: Services, context: AppContext): Promise<Session | null> {
  const token = requestContext(services, context).cookies.get('session')
  if (hasBearer(context) || !token) return null
  const session = await findSession(services.db, services.clock, token)
  return session && isGranted(content.open.access, session.permissions) ? session : null
}

/** @param number of a version; undefined for the draft */
async function findBody(services: Services, id: string, number: string | undefined): Promise<Stored | null> {
  const { db, clock } = services
  const { data: input } = content.version.input.safeParse({ id, number: number ?? 1 })
  const document = input && (await findDocument(db, clock(), input.id))
  if (!document) return null
  const stored =
    number === undefined ? await findDraft(db, input.id) : await findVersion(db, input.id, input.number)
  return stored ? { ...stored, kind: document.kind } : null
}

/** @param path without the slash that it starts with; it says which of the fixed pages shows the site document */
function pageOf(draft: TypedBody, path: string): PreviewedPage | undefined {
  if (draft.kind === 'site' && path === 'sign-in') return signInPreview
  if (draft.kind === 'site') return pages.find(page => page.path === `/${path}`)
  return documentPage({ content: draft, publishedAt: null, changedAt: null })
}

async function respondPreview(
  services: Services,
  pageServer: PageServer,
  page: PreviewedPage | 'email',
  draft: TypedBody,
) {
  try {
    if (page === 'email')
      return respondEmailPreview(services, withDraft(await pageServer.readSite(), draft, services))
    return await pageServer.respondPreview(page, site => withDraft(site, draft, services))
  } catch (error) {
    // A draft may have values that no page can show, such as half a time zone. The page then lists them.
    services.log('warning', 'API', 'A draft cannot be shown', describeError(error))
    return await respondUnshown(pageServer, draft, false)
  }
}

/** @param isTooLong to be published: to render a mebibyte would hold up everybody else */
async function respondUnshown(pageServer: PageServer, draft: TypedBody, isTooLong: boolean) {
  const errors = isTooLong ? {} : findErrors(draft.kind, draft.body)
  const unshown = {
    language: DEFAULT_LANGUAGE,
    title: () => 'Preview',
    render: (site: SiteSettings) => (
      <UnshownDraft draft={draft} errors={errors} isTooLong={isTooLong} site={site} />
    ),
  }
  return await pageServer.respondPreview(unshown, site => site)
}

function withDraft(site: SiteSettings, draft: TypedBody, { content: store }: Services): SiteSettings {
  if (draft.kind !== 'site') return site
  const facts = withMissing(store.read().facts, draft)
  const pin = findStrayPin(new Set(findSampleParts(draft.body)))
  return {
    ...site,
    content: toContent(draft.body, facts, pin),
    live: { ...site.live, site: draft.body, facts },
  }
}

/** A fact that does not exist is shown as such, so that each item has the same place in the page as in the draft. */
function withMissing(facts: Facts, { body }: TypedBody): Facts {
  return new Map(findFactNames(body).map(([, name]) => [name, facts.get(name) ?? missingFact(name)]))
}

function missingFact(name: string): Fact {
  const source = { label: 'there is no such fact', url: '#' }
  return { name, value: '…', unit: '', asAt: '', source, reviewBy: '', endsOn: null }
}

function UnshownDraft({
  draft,
  errors,
  isTooLong,
  site,
}: {
  readonly draft: TypedBody
  readonly errors: BodyErrors
  readonly isTooLong: boolean
  readonly site: SiteSettings
}) {
  return (
    <main className="site-section site-prose">
      <h1>This draft cannot be shown yet</h1>
      {isTooLong ? (
        <p>{TOO_LONG}</p>
      ) : (
        <>
          <p>Correct these fields:</p>
          <ul>
            {Object.entries(errors).map(([path, message]) => (
              <li key={path} {...editable(site, path)}>
                <strong>{describeField(draft.kind, draft.body, path)}</strong>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  )
}
