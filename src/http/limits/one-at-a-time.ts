import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send no request ahead, and the few programs that do send a handful. */
const MAX_WAITING = 32

type Exchange = readonly [IncomingMessage, ServerResponse]

interface Connection {
  /** The request that is not answered yet, and when it began: a time of `performance.now()`. */
  current: { readonly request: IncomingMessage; readonly since: number } | null
  /** When the last request was answered; a time of `performance.now()`. */
  idleSince: number
  /** Requests that were sent ahead. */
  readonly waiting: Exchange[]
}

const connections = new WeakMap<Socket, Connection>()

/** @returns a time of `performance.now()`, 0 before the first answer; null while a request is not answered yet */
export function idleSince(socket: Socket): number | null {
  const connection = connections.get(socket)
  if (!connection) return 0
  return connection.current ? null : connection.idleSince
}

/** @returns since when the body of a request arrives, a time of `performance.now()`; null while none does */
export function arrivingSince(socket: Socket): number | null {
  const current = connections.get(socket)?.current
  return current && !current.request.complete ? current.since : null
}

/**
 * Begins with a request when the system has taken the answer to the one before it on the same connection. Otherwise who
 * sends hundreds ahead and reads nothing has as many answers kept in memory.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    connection.current = { request, since: performance.now() }
    response.on('close', () => {
      const next = connection.waiting.shift()
      connection.current = null
      connection.idleSince = performance.now()
      if (next && !request.socket.destroyed) begin(connection, ...next)
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // Of what was read together with the request that went too far.
    if (socket.destroyed) return
    let connection = connections.get(socket)
    if (!connection) {
      connection = { current: null, idleSince: 0, waiting: [] }
      connections.set(socket, connection)
    }
    if (!connection.current) begin(connection, request, response)
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([request, response])
    else socket.destroy()
  }
}
