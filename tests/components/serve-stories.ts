import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv4 } from 'node:net'
import { extname } from 'node:path'
import { build, type Rolldown } from 'vite'
import { securityHeaders } from '../../src/http/security-headers.ts'
import { findScreen, setUpPath, signInPaths } from '../../src/screens.ts'
import productConfig from '../../vite.config.ts'
import type { FakeApi } from './fake-api.ts'

/** Components by themselves, and the portal with its screens: both are given an API that tests answer for. */
const input = {
  stories: 'tests/components/stories/main.tsx',
  portal: 'src/entries/portal.entry.tsx',
  'sign-in': 'src/entries/sign-in.entry.tsx',
  password: 'src/entries/password.entry.tsx',
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
}

export interface StoryServer {
  readonly url: string
  close(): Promise<void>
}

/** Builds the stories with the settings of the product, and serves them with its headers from memory. */
export async function serveStories(api: FakeApi): Promise<StoryServer> {
  const files = await buildStories()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', url)
    if (pathname.startsWith('/api/')) return await api.answer(request, response)
    const file = files.get(pathname.slice(1))
    if (file) return send(response, file.source, mediaTypes[extname(pathname)])
    // A missing file, such as a picture, is no document.
    if (extname(pathname)) return response.writeHead(404).end()
    const entry = entryOf(pathname)
    const headers = securityHeaders('portal', url)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    send(response, documentOf(files, entry), 'text/html; charset=utf-8')
  })
  const port = await new Promise<number>(resolve =>
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address()))),
  )
  const url = `http://localhost:${port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function entryOf(pathname: string) {
  if (pathname === setUpPath) return 'password'
  if (signInPaths.includes(pathname)) return 'sign-in'
  return findScreen(pathname) ? 'portal' : 'stories'
}

const portOf = (address: AddressInfo | string | null) =>
  typeof address === 'object' && address && isIPv4(address.address) ? address.port : 0

function send(response: ServerResponse, body: string | Uint8Array, type = 'application/octet-stream') {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(body)
}

interface BuiltFile {
  readonly source: string | Uint8Array
  /** Of an entry: its name. */
  readonly entry?: string
  readonly styles?: readonly string[]
  readonly imports?: readonly string[]
}

async function buildStories(): Promise<ReadonlyMap<string, BuiltFile>> {
  const { plugins = [], environments } = productConfig({ command: 'build', mode: 'production' })
  const settings = environments?.client?.build
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins,
    build: {
      ...settings,
      assetsInlineLimit: 0,
      manifest: false,
      write: false,
      // The stories are read by nobody but a browser on the same machine.
      reportCompressedSize: false,
      rolldownOptions: { ...settings?.rolldownOptions, input },
    },
  })
  const outputs = [built].flat().flatMap(each => ('output' in each ? each.output : []))
  return new Map(outputs.map(each => [each.fileName, toFile(each)]))
}

function toFile(output: Rolldown.OutputChunk | Rolldown.OutputAsset): BuiltFile {
  if (output.type === 'asset') return { source: output.source }
  const styles = [...(output.viteMetadata?.importedCss ?? [])]
  return {
    source: output.code,
    styles,
    imports: output.imports,
    ...(output.isEntry && { entry: output.name }),
  }
}

function documentOf(files: ReadonlyMap<string, BuiltFile>, name: string): string {
  const [path, entry] = [...files].find(([, file]) => file.entry === name) ?? []
  const styles = stylesOf(files, entry).map(style => `<link rel="stylesheet" href="/${style}">`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Landfall</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${[...new Set(styles)].join('')}
<script type="module" src="/${path}"></script></head><body><div id="root"></div></body></html>`
}

/** What entries share, such as the styles of the portal, is in files that they import. */
function stylesOf(files: ReadonlyMap<string, BuiltFile>, file: BuiltFile | undefined): readonly string[] {
  const imported = (file?.imports ?? []).flatMap(name => stylesOf(files, files.get(name)))
  return [...imported, ...(file?.styles ?? [])]
}
