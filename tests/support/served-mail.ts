import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { setDownloadHeaders } from '../../src/features/inbox/attachments/api.server.ts'
import { attachments } from '../../src/features/inbox/attachments/contract.ts'
import { cleanHtml } from '../../src/features/inbox/formatting/clean-html.server.ts'
import { SANDBOX } from '../../src/features/inbox/formatting/contract.ts'
import { toDocument } from '../../src/features/inbox/formatting/formatted.server.ts'
import { nameOfFile } from '../../src/features/inbox/mail-in/mail-files.ts'
import { formattedMailHeaders } from '../../src/http/security-headers.ts'
import type { HostileFile } from './hostile-files.ts'

/** What stands between a mail and the network: as it is served, each half of that alone, and nothing. */
export const guards = {
  'cleaned and in its sandbox': { isCleaned: true, hasPolicy: true },
  'in its sandbox alone': { isCleaned: false, hasPolicy: true },
  'cleaned alone': { isCleaned: true, hasPolicy: false },
  nothing: { isCleaned: false, hasPolicy: false },
} as const
type Guards = (typeof guards)[keyof typeof guards]

export async function listen(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { server, port }
}

/** Counts who comes: connections as well, because one that is made ahead says already that somebody reads. */
export async function openMarker(host = 'mail.marker.localhost') {
  const seen = { requests: new Set<string>(), connections: 0 }
  const { server, port } = await listen((request, response) => {
    seen.requests.add(`${request.method} ${request.url}`)
    response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end()
  })
  server.on('connection', () => seen.connections++)
  // Below `localhost` every name is this machine, and Chromium looks it up like any other.
  return { server, seen, url: `http://${host}:${port}` }
}

/** A page with a frame for each mail. */
export async function serveMails(mails: readonly string[], { isCleaned, hasPolicy }: Guards) {
  const headers = hasPolicy ? formattedMailHeaders('http://localhost') : {}
  const sandbox = hasPolicy ? ` sandbox="${SANDBOX}"` : ''
  const { server, port } = await listen(async ({ url = '' }, response) => {
    response.writeHead(200, { ...(url !== '/' && headers), 'Content-Type': 'text/html; charset=utf-8' })
    const frames = mails.map((_, at) => `<iframe src="/${at}"${sandbox}></iframe>`).join('')
    const mail = mails[Number(url.slice(1))] ?? ''
    response.end(url === '/' ? frames : isCleaned ? toDocument(await cleanHtml(mail)) : mail)
  })
  return { server, url: `http://localhost:${port}` }
}

/** How a page can take in a file, with nothing of its own that forbids it. */
const embeddings = (
  path: string,
) => `<iframe src="${path}"></iframe><object data="${path}"></object><embed src="${path}">
  <img src="${path}"><script src="${path}"></script><link rel="stylesheet" href="${path}">`

/** A page that takes in each file in every way. @param isGuarded whether it comes as an attachment is downloaded, or as its sender calls it */
export async function serveFiles(files: readonly HostileFile[], isGuarded: boolean) {
  const { server, port } = await listen(({ url = '' }, response) => {
    const file = files[Number(url.slice(1))]
    if (!file || url === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      return response.end(
        `<!doctype html><title>Files</title>${files.map((_, at) => embeddings(`/${at}`)).join('')}`,
      )
    }
    if (isGuarded) setDownloadHeaders((name, value) => response.setHeader(name, value), nameOfFile(file.name))
    const type = isGuarded ? attachments.download.mediaType : file.type
    if (type) response.setHeader('Content-Type', type)
    response.end(file.bytes)
  })
  return { server, url: `http://localhost:${port}` }
}

export function closeAll(...servers: readonly Server[]) {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
}
