import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send no request ahead, and the few programs that do send a handful. */
const MAX_WAITING = 32

type Exchange = readonly [IncomingMessage, ServerResponse]

interface Connection {
  isBusy: boolean
  /** Requests that were sent ahead. */
  readonly waiting: Exchange[]
}

/**
 * Begins with a request when the system has taken the answer to the one before it on the same connection. Otherwise who
 * sends hundreds ahead and reads nothing has as many answers kept in memory.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>()

  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    connection.isBusy = true
    response.on('close', () => {
      const next = connection.waiting.shift()
      connection.isBusy = false
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
      connection = { isBusy: false, waiting: [] }
      connections.set(socket, connection)
    }
    if (!connection.isBusy) begin(connection, request, response)
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push([request, response])
    else socket.destroy()
  }
}
