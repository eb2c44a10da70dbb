import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { choose } from './representation.ts'
import type { Connection } from './serve.ts'
import type { Shelf } from './shelf.ts'

interface Site {
  readonly shelf: Shelf
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}

/** Writes what is at hand straight to the socket; everything else goes through Hono. */
export function createListener(site: Site): RequestListener {
  const listener = getRequestListener((request, { incoming }) =>
    site.fetch(request, { peer: incoming.socket.remoteAddress ?? '' }),
  )
  return (incoming, outgoing) => {
    if (!answerAtOnce(site.shelf, incoming, outgoing)) void listener(incoming, outgoing)
  }
}

/** Standard requests and responses cost several times what the answer itself does, and a page needs neither. */
function answerAtOnce(
  shelf: Shelf,
  { method, url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
) {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mark = url.indexOf('?')
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
  const representation = shelf.get(path)?.atHand(query)
  if (!representation) return false
  const acceptEncoding = headers['accept-encoding']?.toString()
  const answer = choose(representation, { method, acceptEncoding, ifNoneMatch: headers['if-none-match'] })
  outgoing.writeHead(answer.status, answer.headers)
  outgoing.end(answer.body)
  return true
}
