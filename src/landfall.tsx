import { Hono } from 'hono'
import { serveApi } from './api.ts'
import type { Assets } from './assets.ts'
import { hours } from './clock.ts'
import type { Config } from './config.ts'
import { renderDocument } from './document.tsx'
import { serveFormPost } from './features/enquiries/form-post.server.tsx'
import { forgetExpiredKeys } from './features/enquiries/store.server.ts'
import { forgetExpired } from './features/sign-in/store.server.ts'
import { createPageServer } from './features/site/serve-pages.server.tsx'
import { createFirstAdmin } from './features/users/first-admin.server.ts'
import { represent, respond } from './http/representation.ts'
import { type DocumentKind, securityHeaders } from './http/security-headers.ts'
import { type App, answerProblem, type Connection, toProblem } from './http/serve.ts'
import { forgetEndedSessions } from './http/session.ts'
import { describeError } from './log.ts'
import { pages } from './pages.tsx'
import { screens, signInPaths } from './screens.ts'
import { openServices, type Services } from './services.ts'

export interface Landfall {
  readonly services: Services
  /** The new admin's password, on the first start only. */
  readonly firstPassword: string | null
  fetch(request: Request, connection: Connection): Response | Promise<Response>
  /** Ends everything that `openLandfall` began. */
  close(): Promise<void>
}

const TIDY_EVERY = hours(1)

/** The whole product, ready to serve: database migrated, first admin there, outbox at work. */
export async function openLandfall(config: Config, assets: Assets): Promise<Landfall> {
  const services = await openServices(config)
  const firstPassword = await createFirstAdmin(services.db, services.clock, config)
  await services.outbox.start()
  const app = createApp(services, assets)
  const tidying = setInterval(() => tidy(services), TIDY_EVERY)
  return {
    services,
    firstPassword,
    fetch: (request, connection) => app.fetch(request, connection),
    async close() {
      clearInterval(tidying)
      await services.close()
    },
  }
}

/** Calls, pages, the two shells of the staff's side, files; whatever is none of these is not found. */
function createApp(services: Services, assets: Assets): App {
  const app: App = new Hono<{ Bindings: Connection }>()
  const pageServer = createPageServer(services, assets)
  app.route('/', serveApi(services).app)
  pageServer.servePages(app, pages)
  serveFormPost(app, services, pageServer)
  serveShell(app, services, assets, 'sign-in', signInPaths)
  serveShell(
    app,
    services,
    assets,
    'portal',
    screens.map(screen => screen.path),
  )
  app.get('*', async context => {
    const file = await assets.file(context.req.path)
    return file ? respond(context.req.raw, file) : await pageServer.answerNotFound(context.req.raw)
  })
  app.onError((error, context) => {
    const requestId = crypto.randomUUID()
    return answerProblem(context, toProblem(error, services, context, { requestId }), requestId)
  })
  return app
}

/** A document that is empty until its script runs; who may see what is settled by the calls that it makes. */
function serveShell(
  app: App,
  { config, botCheck }: Services,
  assets: Assets,
  kind: Exclude<DocumentKind, 'site'>,
  paths: readonly string[],
) {
  const html = renderDocument({
    title: 'Landfall',
    entry: assets.entry(kind),
    children: (
      <div id="root">
        <p className="shell-loading" role="status">
          <span className="spinner" /> Loading …
        </p>
        <noscript>The staff portal needs JavaScript.</noscript>
      </div>
    ),
  })
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' }
  const shell = represent(html, { ...headers, ...securityHeaders(kind, config.publicUrl) })
  const guarded = represent(html, { ...headers, ...securityHeaders(kind, config.publicUrl, true) })
  // With the database down there is no check to make, and the screen says what is wrong.
  const isGuarded = async () =>
    kind === 'sign-in' && (await botCheck.settings().catch(() => null))?.enabled === true
  for (const path of paths)
    app.get(path, async context => respond(context.req.raw, await ((await isGuarded()) ? guarded : shell)))
}

/** Removes what has run out by itself. */
async function tidy({ db, clock, log }: Services) {
  try {
    await forgetEndedSessions(db, clock)
    await forgetExpired(db, clock)
    await forgetExpiredKeys(db, clock)
  } catch (error) {
    log('warning', 'API', 'What has expired could not be removed', describeError(error))
  }
}
