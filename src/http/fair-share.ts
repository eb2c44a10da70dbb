import type { IncomingMessage, RequestListener } from 'node:http'
import { seconds } from '../clock.ts'

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
