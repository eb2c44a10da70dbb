import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { seconds } from '../clock.ts'
import { refuseUnreadable } from './unreadable.ts'

/** The server as it listens: what takes too long or is too large ends here, before any work is done for it. */
export function createHttpServer(inner: RequestListener): Server {
  const listener: RequestListener = (request, response) =>
    isAmbiguous(request) ? refuseUnreadable(response) : inner(request, response)
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
    listener,
  )
  // Whatever a client expects but the one thing that HTTP knows, it gets the answer that it would have got without.
  server.on('checkExpectation', listener)
  return server.on('connect', (_request, socket) => {
    // Node hands over the bare socket, and an error that nobody hears would end the process.
    socket.on('error', () => {}).end(NO_PROXY)
  })
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
