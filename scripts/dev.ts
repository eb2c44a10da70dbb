import '../src/platform/umask.ts'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createServer as createVite } from 'vite'
import type { Assets } from '../src/assets.ts'
import { readConfig } from '../src/config.ts'

/**
 * Landfall with hot reload: Vite serves the browser's modules as they are on disk, and the server's modules
 * are loaded again when one of them changes. `npm run dev`
 */
type AppModule = typeof import('../src/app.tsx')

const config = readConfig(process.env)
const server = createServer()
const vite = await createVite({ server: { middlewareMode: { server }, ws: { server } }, appType: 'custom' })

const entries = {
  site: '/src/entries/site.entry.ts',
  'sign-in': '/src/entries/sign-in.entry.tsx',
  'verify-email': '/src/entries/verify-email.entry.tsx',
  password: '/src/entries/password.entry.tsx',
  portal: '/src/entries/portal.entry.tsx',
}
const assets: Assets = {
  entry: name => ({ script: entries[name], imports: [], styles: [], fonts: {} }),
  files: new Map(),
}

let app = open()

vite.watcher.on('change', file => {
  const isServed = [...(vite.environments.ssr?.moduleGraph.getModulesByFile(file) ?? [])].length > 0
  if (!isServed) return
  app = app.then(before => before.close()).then(open)
  app.catch(error => process.stderr.write(`${error.stack}\n`))
})

const listener = getRequestListener(async (request, { incoming }) => {
  // Vite rewrites pages, so they must not be compressed.
  request.headers.delete('accept-encoding')
  const response = await (await app).fetch(request, { peer: incoming.socket.remoteAddress ?? '' })
  return await withHotReload(request, response)
})
server.on('request', (incoming, outgoing) =>
  vite.middlewares(incoming, outgoing, () => listener(incoming, outgoing)),
)
server.listen(config.port, config.host, () =>
  process.stdout.write(`Landfall is at ${config.publicUrl}, with hot reload\n`),
)

async function open() {
  // Vite may not have noticed the change yet.
  vite.environments.ssr.moduleGraph.invalidateAll()
  const { createApp } = (await vite.ssrLoadModule('/src/app.tsx')) as AppModule
  const opened = await createApp(config, assets)
  if (opened.firstPassword)
    process.stdout.write(`The first admin is ${config.adminEmail}, the password ${opened.firstPassword}\n`)
  if (opened.setUpToken) process.stdout.write(`Set up at ${config.publicUrl}/set-up#${opened.setUpToken}\n`)
  return opened
}

/** Vite's client needs inline scripts and styles, which the product's policy rightly refuses. */
async function withHotReload(request: Request, response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const headers = new Headers(response.headers)
  for (const name of ['content-security-policy', 'content-length', 'etag']) headers.delete(name)
  const html = await vite.transformIndexHtml(new URL(request.url).pathname, await response.text())
  return new Response(html, { status: response.status, headers })
}
