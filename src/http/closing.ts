import { randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { Problem } from './problem.ts'
import type { SlowReaders } from './slow-readers.ts'

/** A listener that can end without dropping what it has in hand. */
export interface Closing {
  readonly listener: RequestListener
  /** Refuses what comes from now on, waits for what is in hand but for no slow reader, then closes the server. */
  close(server: Server, readers: SlowReaders): Promise<void>
}

/** While the last requests end, a balancer that asks `/readyz` hears at once that visitors belong elsewhere. */
export function closing(listener: RequestListener): Closing {
  const allDone = Promise.withResolvers<void>()
  let inHand = 0
  let isClosing = false

  function noteEnd() {
    inHand--
    if (isClosing && inHand === 0) allDone.resolve()
  }

  return {
    listener(request, response) {
      if (isClosing) return refuse(response)
      inHand++
      response.once('close', noteEnd)
      listener(request, response)
    },
    async close(server, readers) {
      isClosing = true
      readers.beginStop()
      if (inHand > 0) await allDone.promise
      server.close()
    },
  }
}

function refuse(response: Parameters<RequestListener>[1]) {
  const problem = new Problem(503, 'This is not possible right now. Please try again in a moment.', {
    retryAfter: 1,
  })
  response.writeHead(503, {
    ...problem.headers,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(JSON.stringify(problem.body(randomUUID())))
}
