import type { Server } from 'node:http'
import { after } from 'node:test'
import { readAssets } from '../../src/assets.ts'
import { createListener } from '../../src/http/listener.ts'
import { createHttpServer } from '../../src/http/server.ts'
import type { Dependencies, Services } from '../../src/services.ts'
import type { TestApp } from './test-app.ts'

type AppModule = typeof import('../../src/app.tsx')

/** The whole product on loopback, as another node beside a test app: it shares the database and has its own memory. */
export interface Site {
  readonly services: Services
  readonly url: string
  /** The same product, but every request goes through Hono. */
  readonly uncachedUrl: string
  /** How many requests to `url` went through Hono, because no cached response was used. */
  readonly slowRequests: number
  /** Sends a request that no real client would send. */
  fetch(request: Request): Response | Promise<Response>
}

/** Closes after the tests of the file. */
export async function openSite(
  { services, closeFirst }: TestApp,
  dependencies: Dependencies = {},
): Promise<Site> {
  const { createApp } = await loadApp()
  const app = await createApp(
    services.config,
    readAssets('build/browser', services.config.publicUrl),
    // As the test app beside it.
    { hidesSamples: false, ...dependencies },
  )
  // With its test, and at the latest before the database goes.
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= app.close()
    return closing
  }
  closeFirst(close)
  after(close)
  let slowRequests = 0
  const fetch: typeof app.fetch = (request, connection) => {
    slowRequests++
    return app.fetch(request, connection)
  }
  return {
    services: app.services,
    url: await listen(createHttpServer(createListener({ ...app, fetch }))),
    uncachedUrl: await listen(createHttpServer(createListener({ ...app, responses: new Map() }))),
    fetch: request => app.fetch(request, { peer: '192.0.2.1' }),
    get slowRequests() {
      return slowRequests
    },
  }
}

/** Closes after the tests of the file. */
export async function loadApp(): Promise<AppModule> {
  // Set in a bundle only (`scripts/bundle-tests.ts`); Node itself does not read `.tsx`.
  if (import.meta.env) return await import('../../src/app.tsx')
  const { createServer } = await import('vite')
  const vite = await createServer({
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
  })
  after(() => vite.close())
  return (await vite.ssrLoadModule('/src/app.tsx')) as AppModule
}

/** On a free port of loopback; closes after the tests of the file. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
