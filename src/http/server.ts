import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { seconds } from '../clock.ts'
import { respondMalformed } from './malformed-request.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { yieldBetweenRequests } from './yield-between-requests.ts'

/**
 * Twice what nginx keeps open as Debian ships it (1,024 for both of its sides). Each may hold some 20 KB, so that all of
 * them together stay far from the limit of memory.
 */
const MAX_CONNECTIONS = 2000
/** As nginx has it: what a connection gathers in memory is given back now and then. Clients just open another. */
const MAX_REQUESTS_PER_CONNECTION = 1000

/** The server as it listens: what takes too long or is too large ends here, before any work is done for it. */
export function createHttpServer(listener: RequestListener): Server {
  const serial = oneAtATime(yieldBetweenRequests(rejectAmbiguous(listener)))
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
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION
  // Node says so with the last answer, refuses what comes after it, and would leave the closing to the client.
  server.on('dropRequest', (_request, socket) => setImmediate(() => socket.end()))
  // Whatever a client expects but the one thing that HTTP knows, it gets the answer that it would have got without.
  server.on('checkExpectation', serial)
  return server.on('connect', (_request, socket) => {
    // Node hands over the bare socket, and an error that nobody hears would end the process.
    socket.on('error', () => {}).end(NO_PROXY)
  })
}

function rejectAmbiguous(listener: RequestListener): RequestListener {
  return (request, response) =>
    isAmbiguous(request) ? respondMalformed(response) : listener(request, response)
}

/**
 * Whether a proxy in front might have read another request than Node does: which of two hosts it is for, or where it
 * ends when a version of HTTP without chunks brings chunks. Node keeps only the first host among its headers.
 */
function isAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const count = (name: string) =>
    rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length
  return count('host') > 1 || (httpVersion !== '1.1' && count('transfer-encoding') > 0)
}

/** To whoever takes this for a proxy. */
const NO_PROXY =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
