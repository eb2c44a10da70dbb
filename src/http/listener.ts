import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { replies } from '../i18n/texts.ts'
import { HttpError } from './http-error.ts'
import type { SlowReaders } from './limits/slow-readers.ts'
import type { HttpMetrics } from './metrics/http-metrics.ts'
import { negotiate } from './representation.ts'
import type { Connection, Responses } from './responses.ts'
import { MALFORMED_ADDRESS, malformed, respondMalformed } from './server.ts'

export interface Site {
  readonly responses: Responses
  readonly services: { readonly httpMetrics: HttpMetrics }
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}

/** Writes cached responses straight to the socket; everything else goes through Hono. */
export function createListener(site: Site): RequestListener {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      site.fetch(request, {
        peer: incoming.socket.remoteAddress ?? '',
        ...(outgoing instanceof ServerResponse && { outgoing }),
      }),
    // Called when the Host header is invalid. Later errors are handled where they occur.
    { errorHandler: () => Response.json(...malformed(MALFORMED_ADDRESS)) },
  )
  return (incoming, outgoing) => {
    if (isMalformedPath(incoming.url ?? '')) return respondMalformed(outgoing, MALFORMED_ADDRESS)
    if (!serveFromCache(site, incoming, outgoing)) void listener(incoming, outgoing)
  }
}

/**
 * Whether a path is not UTF-8 once decoded, or has an encoded `..` segment. It must be checked here, because parsing the
 * URL normalises such paths before other code sees them.
 */
function isMalformedPath(url: string): boolean {
  // Hardly any address has one, and splitting takes longer.
  if (!url.includes('%')) return false
  const [path = ''] = url.split('?', 1)
  try {
    return decodeURIComponent(path).split(/[/\\]/).includes('..')
  } catch {
    return true
  }
}

/** Skips `Request` and `Response` objects, which cost several times more than writing a cached page. */
function serveFromCache(
  { responses, services }: Site,
  { method, url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
) {
  if (method !== 'GET' && method !== 'HEAD') return false
  // Only the API reads it, and it must not be left unread there.
  if (headers.authorization !== undefined) return false
  const start = performance.now()
  const queryStart = url.indexOf('?')
  const [path, query] = queryStart < 0 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)]
  const representation = responses.get(path)?.peek(query)
  if (!representation) return false
  const acceptEncoding = headers['accept-encoding']?.toString()
  const response = negotiate(representation, {
    method,
    acceptEncoding,
    ifNoneMatch: headers['if-none-match'],
  })
  outgoing.writeHead(response.status, response.headers)
  outgoing.end(response.written, 'latin1')
  services.httpMetrics.count(method, 'pages and files', response.status, performance.now() - start)
  return true
}

/**
 * A listener that can stop without dropping requests in flight. While the last of them finish, a load balancer that polls
 * `/readyz` gets 503 immediately and sends visitors elsewhere.
 */
export function gracefulShutdown(listener: RequestListener) {
  const allFinished = Promise.withResolvers<void>()
  let inFlight = 0
  let isClosing = false

  function onEnd() {
    inFlight--
    if (isClosing && inFlight === 0) allFinished.resolve()
  }

  return {
    listener(...[request, response]: Parameters<RequestListener>) {
      if (isClosing) return respondUnavailable(response)
      inFlight++
      response.on('close', onEnd)
      listener(request, response)
    },
    /** Rejects new requests with 503, waits for those in flight but not for slow readers, then closes the server. */
    async close(server: Server, readers: SlowReaders) {
      isClosing = true
      readers.beginStop()
      if (inFlight > 0) await allFinished.promise
      server.close()
    },
  }
}

function respondUnavailable(response: ServerResponse) {
  const error = new HttpError(503, replies.unavailable, { retryAfter: 1 })
  response.writeHead(503, {
    ...error.headers,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(JSON.stringify(error.body(randomUUID())))
}
