import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { newId } from '../database/id.ts'
import { seconds } from '../platform/clock.ts'
import { clientAddress } from './client-address.ts'
import { HttpError } from './http-error.ts'
import { shareConnections } from './limits/connection-share.ts'
import { oneAtATime } from './limits/one-at-a-time.ts'

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
 * Whether a proxy might parse the request differently from Node: two Host headers, or a chunked body in a
 * version of HTTP without chunks. Node keeps only the first Host header.
 */
function isAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  return (
    count(rawHeaders, 'host') > 1 || (httpVersion !== '1.1' && count(rawHeaders, 'transfer-encoding') > 0)
  )
}

/** Counts a header. Names and values alternate. */
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

/** Milliseconds of requests that arrived together, after which the event loop turns before the next of them. */
const MAX_TURN = 8

/**
 * Serves requests that arrive together over several turns of the event loop when they take long, so that those who come
 * meanwhile, timers and the disk are not held up until all are served.
 */
export function yieldBetweenRequests(listener: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = []
  let turnStartedAt: number | null = null

  const isOver = () => turnStartedAt !== null && performance.now() - turnStartedAt > MAX_TURN

  function startTurn() {
    turnStartedAt = performance.now()
    setImmediate(endTurn)
  }

  function endTurn() {
    turnStartedAt = null
    if (waiting.length > 0) startTurn()
    serveSome()
  }

  // A handler's first promises run before the next request is looked at, as they do when requests arrive by themselves.
  async function serveSome() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // Nobody waits for a response to a closed connection, and nothing would say that it has ended.
      if (next[1].destroyed) continue
      listener(...next)
      await null
      if (isOver()) return
    }
  }

  return (request, response) => {
    if (turnStartedAt === null) startTurn()
    if (waiting.length === 0 && !isOver()) return listener(request, response)
    waiting.push([request, response])
  }
}

/** Requests of one client within `PERIOD`, apart from those answered from memory. A screen of the portal makes 5. */
const FAIR_SHARE = 10
const PERIOD = seconds(1)
/** Milliseconds between two requests of clients beyond their share. Serving one takes about one. */
const PAUSE = 3

/**
 * Clients beyond their share wait in one queue, from which a request is begun at a time, so that together they leave
 * processor time to the others and to what was begun before. A client that is alone does not wait.
 * @param clientOf returns the address of the client
 */
export function limitToFairShare(
  listener: RequestListener,
  clientOf: (request: IncomingMessage) => string,
): RequestListener {
  // A connection has one request here at a time, and takes it along when it closes.
  const queue = new Set<Parameters<RequestListener>>()
  const requests = countByClient()
  let isServing = false

  function serveNext() {
    const [next] = queue
    isServing = next !== undefined
    if (!next) return
    queue.delete(next)
    serve(...next)
    if (requests.areOfSeveral()) setTimeout(serveNext, PAUSE)
    else setImmediate(serveNext)
  }

  function serve(...[request, response]: Parameters<RequestListener>) {
    listener(request, response)
    if (!response.writableEnded) requests.add(clientOf(request))
  }

  return (...exchange) => {
    const [request, response] = exchange
    // Reading the address takes as long as looking up a page in memory, and mostly nobody has asked for more than those.
    if (requests.isEmpty() || requests.of(clientOf(request)) < FAIR_SHARE) return serve(...exchange)
    queue.add(exchange)
    response.once('close', () => queue.delete(exchange))
    if (isServing) return
    isServing = true
    setImmediate(serveNext)
  }
}

/** Counts within the current period. */
function countByClient() {
  let counts = new Map<string, number>()
  let before = counts
  let startedAt = performance.now()
  function current() {
    const elapsed = performance.now() - startedAt
    if (elapsed <= PERIOD) return counts
    before = elapsed <= 2 * PERIOD ? counts : new Map()
    startedAt += elapsed
    counts = new Map()
    return counts
  }
  const of = (client: string) => current().get(client) ?? 0
  return {
    isEmpty: () => current().size === 0,
    of,
    add: (client: string) => current().set(client, of(client) + 1),
    areOfSeveral: () => Math.max(current().size, before.size) > 1,
  }
}

export const MALFORMED_ADDRESS = 'This address cannot be read'

/** An error response for a request that could not be parsed. */
export function malformed(message: string) {
  const body = new HttpError(400, message).body(newId(new Date()))
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return [body, { status: 400, headers: { ...headers, 'Content-Type': 'application/json' } }] as const
}

/** Sends 400. Without a message the request itself was malformed, so the rest of the connection cannot be trusted and is closed. */
export function respondMalformed(response: ServerResponse, message?: string): void {
  const [body, { status, headers }] = malformed(message ?? 'This request cannot be read')
  response.writeHead(status, message ? headers : { ...headers, Connection: 'close' })
  response.end(JSON.stringify(body))
}
