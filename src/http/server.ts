import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { seconds } from '../clock.ts'
import { clientAddress } from './client-address.ts'
import { shareConnections } from './connection-share.ts'
import { limitToFairShare } from './fair-share.ts'
import { MALFORMED_ADDRESS, respondMalformed } from './malformed-request.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { yieldBetweenRequests } from './yield-between-requests.ts'

/** The same as nginx, so that memory held by a connection is freed from time to time. Clients just open another. */
const MAX_REQUESTS_PER_CONNECTION = 1000

/**
 * Creates the HTTP server with its limits: requests that are too slow or too large end here, before they reach the app.
 * @param trustProxy the number of proxies in front
 */
export function createHttpServer(listener: RequestListener, trustProxy = 0): Server {
  const clientOf = ({ socket, headers }: IncomingMessage) =>
    clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), trustProxy)
  const fair = limitToFairShare(rejectAmbiguous(listener), clientOf)
  const serial = oneAtATime(yieldBetweenRequests(fair))
  const server = createServer(
    {
      headersTimeout: seconds(8),
      requestTimeout: seconds(15),
      // Node's own 5 s end while people fill the form, and a post on a connection that is just closing is lost. Longer
      // than the 60 s that proxies keep theirs.
      keepAliveTimeout: seconds(72),
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: seconds(2),
    },
    serial,
  )
  shareConnections(server, trustProxy)
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION
  // Node says so with the last answer, refuses what comes after it, and would leave the closing to the client.
  server.on('dropRequest', (_request, socket) => setImmediate(() => socket.end()))
  // An `Expect` header other than `100-continue` is ignored.
  server.on('checkExpectation', serial)
  return server.on('connect', (_request, socket) => {
    // Node hands over the bare socket, and an unhandled error event would end the process.
    socket.on('error', () => {}).end(NO_PROXY)
  })
}

function rejectAmbiguous(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (isAmbiguous(request)) return respondMalformed(response)
    if (!HOST.test(request.headers.host ?? '')) return respondMalformed(response, MALFORMED_ADDRESS)
    listener(request, response)
  }
}

/**
 * Whether a proxy in front might have parsed the request differently from Node: two Host headers, or a chunked body in a
 * version of HTTP without chunks. Node keeps only the first Host header.
 */
function isAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  return (
    count(rawHeaders, 'host') > 1 || (httpVersion !== '1.1' && count(rawHeaders, 'transfer-encoding') > 0)
  )
}

/** How often a header was sent. Names and values take turns. */
function count(rawHeaders: readonly string[], name: string): number {
  let found = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at]
    if (each?.length === name.length && each.toLowerCase() === name) found++
  }
  return found
}

/** A name or address, and a port: RFC 3986. A slash would move the beginning of the path. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** The response to a client that uses this server as a proxy. */
const NO_PROXY =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
