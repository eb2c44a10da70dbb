import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Connection } from './api-router.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { MALFORMED_ADDRESS, malformed, respondMalformed } from './malformed-request.ts'
import { negotiate } from './representation.ts'
import type { ResponseMap } from './response-map.ts'

export interface Site {
  readonly responses: ResponseMap
  readonly services: { readonly httpMetrics: HttpMetrics }
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}

/** Writes what is at hand straight to the socket; everything else goes through Hono. */
export function createListener(site: Site): RequestListener {
  const listener = getRequestListener(
    (request, { incoming }) => site.fetch(request, { peer: incoming.socket.remoteAddress ?? '' }),
    // Its Host is none. What goes wrong later is answered where it goes wrong.
    { errorHandler: () => Response.json(...malformed(MALFORMED_ADDRESS)) },
  )
  return (incoming, outgoing) => {
    if (isMalformedPath(incoming.url ?? '')) return respondMalformed(outgoing, MALFORMED_ADDRESS)
    if (!serveFromCache(site, incoming, outgoing)) void listener(incoming, outgoing)
  }
}

/**
 * Whether a path is one that no link leads to: what it encodes is not UTF-8, or climbs out of a folder. It would be
 * straightened out before anyone else sees it.
 */
function isMalformedPath(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return false
  try {
    return decodeURIComponent(path).split(/[/\\]/).includes('..')
  } catch {
    return true
  }
}

/** Standard requests and responses cost several times what the answer itself does, and a page needs neither. */
function serveFromCache(
  { responses, services }: Site,
  { method, url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
) {
  if (method !== 'GET' && method !== 'HEAD') return false
  const start = performance.now()
  const mark = url.indexOf('?')
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
  const representation = responses.get(path)?.peek(query)
  if (!representation) return false
  const acceptEncoding = headers['accept-encoding']?.toString()
  const answer = negotiate(representation, { method, acceptEncoding, ifNoneMatch: headers['if-none-match'] })
  outgoing.writeHead(answer.status, answer.headers)
  outgoing.end(answer.body)
  services.httpMetrics.count(method, 'pages and files', answer.status, performance.now() - start)
  return true
}
