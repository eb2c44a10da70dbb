import type { IncomingMessage, RequestListener } from 'node:http'
import { seconds } from '../clock.ts'

/** Milliseconds of requests that arrived together, after which the event loop turns before the next of them. */
const MAX_TURN = 20
/** Requests of one client within `PERIOD`, apart from those answered from memory. A screen of the portal makes 5. */
const MANY = 30
const PERIOD = seconds(1)

type Exchange = Parameters<RequestListener>

/**
 * Serves requests that arrive together over several turns of the event loop when they take long, so that those who come
 * meanwhile, timers and the disk are not held up until all are served. Of clients who ask for much, one request is begun
 * each turn: its work goes on in later turns, where a visitor's would wait for all that were begun before it.
 * @param clientOf returns the address of the client
 */
export function yieldBetweenRequests(
  listener: RequestListener,
  clientOf: (request: IncomingMessage) => string,
): RequestListener {
  const waiting: Exchange[] = []
  const waitingOfMany: Exchange[] = []
  const requests = countByClient()
  let turnStartedAt: number | null = null

  const isOver = () => turnStartedAt !== null && performance.now() - turnStartedAt > MAX_TURN

  function startTurn() {
    turnStartedAt = performance.now()
    setImmediate(endTurn)
  }

  function endTurn() {
    turnStartedAt = null
    if (waiting.length + waitingOfMany.length > 0) startTurn()
    serveTurn()
  }

  async function serveTurn() {
    const next = waitingOfMany.shift()
    if (next) serve(...next)
    // A handler's first promises run before the next request is looked at, as they do when requests arrive by themselves.
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      serve(...next)
      await null
      if (isOver()) return
    }
  }

  function serve(...[request, response]: Exchange) {
    listener(request, response)
    if (!response.writableEnded) requests.add(clientOf(request))
  }

  return (request, response) => {
    if (turnStartedAt === null) startTurn()
    if (requests.of(clientOf(request)) >= MANY) waitingOfMany.push([request, response])
    else if (waiting.length > 0 || isOver()) waiting.push([request, response])
    else serve(request, response)
  }
}

/** Counts within the current period. */
function countByClient() {
  let counts = new Map<string, number>()
  let startedAt = performance.now()
  function current() {
    if (performance.now() - startedAt <= PERIOD) return counts
    startedAt = performance.now()
    counts = new Map()
    return counts
  }
  const of = (client: string) => current().get(client) ?? 0
  return { of, add: (client: string) => current().set(client, of(client) + 1) }
}
