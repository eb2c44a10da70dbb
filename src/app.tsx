import { Hono } from 'hono'
import { serveApi } from './api.ts'
import type { Assets, EntryName } from './assets.ts'
import { startScanning } from './attachments/scanner.server.ts'
import type { Config } from './config.ts'
import type { Brand } from './content/brand/brand.ts'
import { oldAddressOf } from './content/old-addresses.ts'
import { type FolderLock, lockFolder } from './database/folder-lock.ts'
import { sqliteFile } from './database/open.ts'
import { vacuumOnce } from './database/sqlite/vacuum.ts'
import { renderDocument } from './document.tsx'
import { servePreview } from './features/content-editor/preview/preview.server.tsx'
import { serveFormPost } from './features/enquiry-form/form-post.server.tsx'
import { startMailWatch } from './features/inbox/mail-in/start-watch.server.ts'
import { releaseLost } from './features/inbox/messages/release-messages.server.ts'
import { recomputeDue } from './features/inbox/reply-clock/update-due.server.ts'
import { createSearchIndex, INDEX_EVERY } from './features/inbox/search/index.server.ts'
import { servePictureFiles } from './features/pictures/serve-files.server.ts'
import { createRetention } from './features/privacy/retention-clock.server.ts'
import { issueSetUpToken } from './features/set-up/api.server.ts'
import { createFirstAdmin } from './features/set-up/first-admin.server.ts'
import { brandFiles } from './features/site/brand-files.server.ts'
import { brandStyle } from './features/site/brand-style.server.ts'
import { crawlerFiles } from './features/site/crawler-files.server.ts'
import { Footer } from './features/site/footer.tsx'
import { createPageServer, type PageServer } from './features/site/serve-pages.server.tsx'
import type { SiteSettings } from './features/site/site-settings.ts'
import { securityTextResponse, serveChangePassword } from './features/site/well-known.server.ts'
import { serveStatusPages } from './features/status/pages.server.tsx'
import { type ApiRouter, requestContext } from './http/api-router.ts'
import { encodeResponse, type Representation, respond } from './http/representation.ts'
import {
  allowHeader,
  type CachedResponse,
  type Connection,
  errorResponse,
  type HonoApp,
  methodNotAllowed,
  type ResponseMap,
  type Responses,
  toHttpError,
} from './http/responses.ts'
import { type DocumentKind, responseHeaders, securityHeaders } from './http/security-headers.ts'
import { DEFAULT_LANGUAGE, textsFor } from './i18n/texts.ts'
import { startPeriodicJob } from './jobs/periodic-job.ts'
import { deleteExpiredRows, scheduleDueEmails } from './jobs.ts'
import { pages } from './pages.tsx'
import { hours, minutes, systemClock } from './platform/clock.ts'
import { makePrivate } from './platform/private-folder.ts'
import {
  findScreen,
  forgotPasswordPath,
  menuScreens,
  screens,
  setPasswordPath,
  setUpPath,
  signInDocumentPaths,
  signInPaths,
  verifyEmailPath,
} from './screens.ts'
import { type Dependencies, openServices, type Services } from './services.ts'

export type LandfallApp = Awaited<ReturnType<typeof createApp>>

/** Creates the whole app, ready to serve: the database is migrated, the first admin or the set-up link exists, the outbox is running. */
export async function createApp(config: Config, assets: Assets, dependencies: Dependencies = {}) {
  const lock = await lockDataFolder(config)
  try {
    return await start(lock, config, assets, dependencies)
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** Locks the data folder for this process, unless the data is in PostgreSQL, which several nodes may share. */
async function lockDataFolder(config: Config): Promise<FolderLock | null> {
  const print = (line: string) => process.stderr.write(`${line}\n`)
  const open = makePrivate(config.dataDir)
  if (open.length > 0)
    print(`Others on this machine may get into ${open.slice(0, 5).join(', ')}: take them away from others.`)
  if (config.databaseUrl) return null
  const lock = lockFolder(config.dataDir, systemClock)
  // If it fails, for example because the disk is full, the app serves all the same and tries again at the next start.
  await vacuumOnce(sqliteFile(config), print).catch(error =>
    print(`The database could not be rewritten, so deleted text stays in its file: ${error.message}`),
  )
  return lock
}

async function start(lock: FolderLock | null, config: Config, assets: Assets, dependencies: Dependencies) {
  const services = await openServices(config, dependencies)
  const firstPassword = config.hasFirstAdmin
    ? await createFirstAdmin(services.db, services.clock, config)
    : null
  const setUpToken = config.hasFirstAdmin ? null : await issueSetUpToken(services)
  // Where visitors' answers go must not depend on whether ADMIN_EMAIL is set at the next start.
  await services.settings.storeDefault('form_email')
  scheduleDueEmails(services)
  await services.outbox.start()
  startMailWatch(services)
  const pageServer = createPageServer(services, assets)
  const api = serveApi(services, pageServer.cached)
  const responses = buildResponses(services, assets, pageServer, api)
  const app = routeRequests(services, responses, pageServer, api)
  const replyClock = startPeriodicJob(minutes(1), isStopped => recomputeDue(services, isStopped))
  services.content.onChange(async () => replyClock.start())
  const searchIndex = createSearchIndex(services)
  const jobs = [
    replyClock,
    startPeriodicJob(INDEX_EVERY, isStopped => searchIndex.run(isStopped)),
    startPeriodicJob(minutes(1), isStopped => releaseLost(services, isStopped)),
    startPeriodicJob(hours(1), () => deleteExpiredRows(services)),
    startPeriodicJob(hours(1), createRetention(services)),
    startPeriodicJob(hours(1), async () => void (await services.mailboxSweep.run())),
    ...(config.clamdUrl ? [startScanning({ ...services, url: config.clamdUrl })] : []),
  ]
  return {
    services,
    /** The new admin's password, on the first start only. */
    firstPassword,
    /** For the link that is printed while nobody has set up the installation. */
    setUpToken,
    /** Cached responses that can be written straight to the socket; `fetch` returns the same ones. */
    responses,
    fetch: (request: Request, connection: Connection) =>
      services.pictures.encoder.whileAnswering(() => app.fetch(request, connection)),
    /** Ends what would not end by itself. */
    beginStop: () => void services.streams.close(),
    /** Stops everything that `createApp` started. */
    async close() {
      pageServer.close()
      await Promise.all(jobs.map(job => job.stop()))
      await services.close()
      lock?.release()
    },
  }
}

/** Collects all cached responses: pages, shells of the staff's documents, files. For the same path, the later entry wins. */
function buildResponses(
  services: Services,
  assets: Assets,
  pageServer: PageServer,
  api: ApiRouter,
): Responses {
  const { config, clock, pictures } = services
  const portal = pageServer.cached('portal shell', async ({ content, siteName }) =>
    renderShell('portal', 'portal', config, assets, {
      brand: content.brand,
      // Without a face of its own, the portal is the product's.
      name: brandStyle(content.brand, 'staff') ? siteName : undefined,
    }),
  )
  const screenPaths = screens.map(screen => screen.path)
  const fixed = new Map([
    ...assets.files,
    ...brandFiles(pictures, assets.files, pageServer),
    ...crawlerFiles(config, pageServer, [...signInDocumentPaths, ...menuScreens.map(it => it.path)]),
    ...securityTextResponse(config, clock),
    ...screenPaths.map(path => [path, portal] as const),
    ...signInShells(services, assets, pageServer),
    ...pageServer.responsesFor(pages),
    ...api.responses,
  ])
  const home = fixed.get('/')
  if (home) fixed.set('/', unlessMoved(home, services.content))
  return { get: path => fixed.get(path) ?? pictures.files.get(path) ?? pageServer.documents.get(path) }
}

/** Routes requests to the API, to form posts, or to cached responses; anything else is 404. */
function routeRequests(services: Services, responses: Responses, pageServer: PageServer, api: ApiRouter) {
  const app: HonoApp = new Hono<{ Bindings: Connection }>()
  app.route('/', api.app)
  serveFormPost(app, services, pageServer)
  serveStatusPages(app, services, pageServer)
  servePreview(app, services, pageServer)
  serveChangePassword(app, services.config)
  servePictureFiles(app, services, pageServer.respondNotFound, to => redirect(to, services.config))
  const find = (path: string) => responses.get(path) ?? responses.get(findScreen(path)?.path ?? '')
  app.get('*', async context => {
    const { search } = new URL(context.req.url)
    const found = find(context.req.path)
    const old = oldAddressOf(context.req.path, search)
    const movedTo = services.content.read().redirects.get(old)
    const isNumber = old.startsWith('/?')
    if (found && !(isNumber && movedTo)) return respond(context.req.raw, await found.fetch(search.slice(1)))
    if (movedTo) return redirect(isNumber ? movedTo : `${movedTo}${search}`, services.config)
    const elsewhere = pages.find(page => page.path === context.req.path)?.optional?.elsewhere
    if (elsewhere) return redirect(elsewhere, services.config, 302)
    return await pageServer.respondNotFound(context.req.raw)
  })
  app.all('*', async context => {
    const { path } = context.req
    const posts = app.routes.filter(route => route.method === 'POST' && route.path === path)
    if (find(path)) return methodNotAllowed(context, allowHeader(['GET', ...posts.map(it => it.method)]))
    return await pageServer.respondNotFound(context.req.raw)
  })
  app.onError((error, context) => {
    const { log, requestId } = requestContext(services, context)
    return errorResponse(context, toHttpError(error, log, context), requestId)
  })
  return app
}

/** The home page, which is not sent from memory where the query is the number of a page that has moved. */
function unlessMoved(home: CachedResponse, content: Services['content']): CachedResponse {
  const isMoved = (query: string) => content.read().redirects.has(oldAddressOf('/', `?${query}`))
  return { ...home, peek: query => (query && isMoved(query) ? undefined : home.peek(query)) }
}

/** Seconds for which a browser keeps a redirect: another page may take the path. */
const REDIRECT_LIFETIME = 60

function redirect(to: string, { publicUrl }: Config, status: 301 | 302 = 301): Response {
  const headers = {
    ...responseHeaders(publicUrl),
    Location: to,
    'Cache-Control': `public, max-age=${REDIRECT_LIFETIME}`,
  }
  return new Response(null, { status, headers })
}

/**
 * The documents before the portal. The policy of those with a bot check allows Google's hosts while it is on, so they are
 * rendered again when a setting changes. A document behind a link with a token allows no other host.
 */
export function signInShells(
  { config, botCheck }: Pick<Services, 'config' | 'botCheck'>,
  assets: Assets,
  pageServer: PageServer,
): ResponseMap {
  const withBotCheck = (entry: EntryName) =>
    pageServer.cached(`${entry} shell with a bot check`, async site => {
      const check = await botCheck.settings()
      return await renderShell(entry, 'sign-in', config, assets, { site, brand: site.content.brand, check })
    })
  const behindLink = (entry: EntryName) =>
    pageServer.cached(`${entry} shell`, async site =>
      renderShell(entry, 'sign-in', config, assets, { site, brand: site.content.brand }),
    )
  const signIn = withBotCheck('sign-in')
  return new Map([
    ...signInPaths.map(path => [path, signIn] as const),
    [forgotPasswordPath, withBotCheck('password')],
    [verifyEmailPath, behindLink('verify-email')],
    [setPasswordPath, behindLink('password')],
    [setUpPath, behindLink('password')],
  ])
}

interface ShellOptions {
  /** Adds the footer of the public pages, which shows even if the script does not run. */
  readonly site?: SiteSettings
  readonly brand?: Brand | undefined
  /** Of the agency, where the site is not given. */
  readonly name?: string | undefined
  readonly check?: { readonly enabled: boolean; readonly siteKey?: string }
}

/** Renders a document that is empty until its script runs. It has no data, so the API decides who may see what. */
export async function renderShell(
  entry: EntryName,
  kind: Exclude<DocumentKind, 'site'>,
  { publicUrl }: Config,
  assets: Assets,
  { site, brand, name = site?.siteName, check = { enabled: false } }: ShellOptions = {},
): Promise<Representation> {
  const style = brandStyle(brand, 'staff')
  const html = renderDocument({
    title: name ?? 'Landfall',
    texts: site?.texts ?? textsFor(DEFAULT_LANGUAGE),
    entry: assets.entry(entry),
    brand: style,
    children: (
      <>
        <div id="root" data-site-key={check.siteKey} data-site-name={name}>
          <p className="shell-loading" role="status">
            <span className="spinner" /> Loading …
          </p>
          <noscript>The staff portal needs JavaScript.</noscript>
        </div>
        {site && <Footer site={site} />}
      </>
    ),
  })
  const headers = {
    ...securityHeaders(kind, publicUrl, check.enabled, style?.source),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  return await encodeResponse(html, headers)
}
