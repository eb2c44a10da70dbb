import type { Server } from 'node:http'
import { after } from 'node:test'
import { createServer as createVite } from 'vite'
import { readAssets } from '../assets.ts'
import { createListener } from '../http/listener.ts'
import { createHttpServer } from '../http/server.ts'
import type { Office } from './office.ts'

type LandfallModule = typeof import('../landfall.tsx')

/** The whole product on loopback, as one more node beside an office: the same database, its own memory. */
export interface Site {
  readonly url: string
  /** The same product, but every request goes through Hono. */
  readonly slowUrl: string
  /** How many requests of `url` have gone through Hono. */
  readonly slowRequests: number
  /** Answers a request that no client would send. */
  fetch(request: Request): Response | Promise<Response>
}

/** Closes after the tests of the file. */
export async function openSite({ services }: Office): Promise<Site> {
  const vite = await createVite({
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
  })
  const { openLandfall } = (await vite.ssrLoadModule('/src/landfall.tsx')) as LandfallModule
  const landfall = await openLandfall(services.config, readAssets('build/browser', services.config.publicUrl))
  after(async () => {
    await landfall.close()
    await vite.close()
  })
  let slowRequests = 0
  const fetch: typeof landfall.fetch = (request, connection) => {
    slowRequests++
    return landfall.fetch(request, connection)
  }
  return {
    url: await listen(createHttpServer(createListener({ ...landfall, fetch }))),
    slowUrl: await listen(createHttpServer(createListener({ ...landfall, shelf: new Map() }))),
    fetch: request => landfall.fetch(request, { peer: '192.0.2.1' }),
    get slowRequests() {
      return slowRequests
    },
  }
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
