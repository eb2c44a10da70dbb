import { randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { HttpError } from './http-error.ts'
import type { SlowReaders } from './slow-readers.ts'

/** A listener that can end without dropping what it has in hand. */
export interface GracefulShutdown {
  readonly listener: RequestListener
  /** Refuses what comes from now on, waits for what is in hand but for no slow reader, then closes the server. */
  close(server: Server, readers: SlowReaders): Promise<void>
}

/** While the last requests end, a balancer that asks `/readyz` hears at once that visitors belong elsewhere. */
export function gracefulShutdown(listener: RequestListener): GracefulShutdown {
  const allDone = Promise.withResolvers<void>()
  let inFlight = 0
  let isClosing = false

  function onEnd() {
    inFlight--
    if (isClosing && inFlight === 0) allDone.resolve()
  }

  return {
    listener(request, response) {
      if (isClosing) return respondUnavailable(response)
      inFlight++
      response.once('close', onEnd)
      listener(request, response)
    },
    async close(server, readers) {
      isClosing = true
      readers.beginStop()
      if (inFlight > 0) await allDone.promise
      server.close()
    },
  }
}

function respondUnavailable(response: Parameters<RequestListener>[1]) {
  const error = new HttpError(503, 'This is not possible right now. Please try again in a moment.', {
    retryAfter: 1,
  })
  response.writeHead(503, {
    ...error.headers,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(JSON.stringify(error.body(randomUUID())))
}
