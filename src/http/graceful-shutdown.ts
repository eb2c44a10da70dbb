import { randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import { replies } from '../i18n/texts.ts'
import { HttpError } from './http-error.ts'
import type { SlowReaders } from './slow-readers.ts'

/** A listener that can stop without dropping requests in flight. */
export interface GracefulShutdown {
  readonly listener: RequestListener
  /** Rejects new requests with 503, waits for those in flight but not for slow readers, then closes the server. */
  close(server: Server, readers: SlowReaders): Promise<void>
}

/** While the last requests finish, a load balancer that polls `/readyz` gets 503 immediately and sends visitors elsewhere. */
export function gracefulShutdown(listener: RequestListener): GracefulShutdown {
  const allFinished = Promise.withResolvers<void>()
  let inFlight = 0
  let isClosing = false

  function onEnd() {
    inFlight--
    if (isClosing && inFlight === 0) allFinished.resolve()
  }

  return {
    listener(request, response) {
      if (isClosing) return respondUnavailable(response)
      inFlight++
      response.on('close', onEnd)
      listener(request, response)
    },
    async close(server, readers) {
      isClosing = true
      readers.beginStop()
      if (inFlight > 0) await allFinished.promise
      server.close()
    },
  }
}

function respondUnavailable(response: Parameters<RequestListener>[1]) {
  const error = new HttpError(503, replies.unavailable, {
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
