import type { RequestListener } from 'node:http'

/** Milliseconds of requests that arrived together, after which the event loop turns before the next of them. */
const MAX_TURN = 20

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
