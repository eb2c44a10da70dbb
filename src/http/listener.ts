import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Meter } from './meter.ts'
import { choose } from './representation.ts'
import type { Connection } from './serve.ts'
import type { Shelf } from './shelf.ts'
import { refuseUnreadable, UNREADABLE_ADDRESS, unreadable } from './unreadable.ts'

export interface Site {
  readonly shelf: Shelf
  readonly services: { readonly meter: Meter }
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}

/** Writes what is at hand straight to the socket; everything else goes through Hono. */
export function createListener(site: Site): RequestListener {
  const listener = getRequestListener(
    (request, { incoming }) => site.fetch(request, { peer: incoming.socket.remoteAddress ?? '' }),
    // Its Host is none. What goes wrong later is answered where it goes wrong.
    { errorHandler: () => Response.json(...unreadable(UNREADABLE_ADDRESS)) },
  )
  return (incoming, outgoing) => {
    if (isCrooked(incoming.url ?? '')) return refuseUnreadable(outgoing, UNREADABLE_ADDRESS)
    if (!answerAtOnce(site, incoming, outgoing)) void listener(incoming, outgoing)
  }
}

/**
 * Whether a path is one that no link leads to: what it encodes is not UTF-8, or climbs out of a folder. It would be
 * straightened out before anyone else sees it.
 */
function isCrooked(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return false
  try {
    return decodeURIComponent(path).split(/[/\\]/).includes('..')
  } catch {
    return true
  }
}

/** Standard requests and responses cost several times what the answer itself does, and a page needs neither. */
function answerAtOnce(
  { shelf, services }: Site,
  { method, url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
) {
  if (method !== 'GET' && method !== 'HEAD') return false
  const start = performance.now()
  const mark = url.indexOf('?')
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
  const representation = shelf.get(path)?.atHand(query)
  if (!representation) return false
  const acceptEncoding = headers['accept-encoding']?.toString()
  const answer = choose(representation, { method, acceptEncoding, ifNoneMatch: headers['if-none-match'] })
  outgoing.writeHead(answer.status, answer.headers)
  outgoing.end(answer.body)
  services.meter.count(method, 'pages and files', answer.status, performance.now() - start)
  return true
}
