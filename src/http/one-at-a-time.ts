import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send no request ahead, and the few programs that do send a handful. */
const MAX_WAITING = 32

type Exchange = readonly [IncomingMessage, ServerResponse]

/**
 * Begins with a request when the system has taken the answer to the one before it on the same connection. Otherwise who
 * sends hundreds ahead and reads nothing has as many answers kept in memory.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Exchange[]>()

  function begin(queue: Exchange[], request: IncomingMessage, response: ServerResponse) {
    response.once('close', () => {
      const next = queue.shift()
      if (next && !request.socket.destroyed) begin(queue, ...next)
      else waiting.delete(request.socket)
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    // Of what was read together with the request that went too far.
    if (socket.destroyed) return
    const queue = waiting.get(socket)
    if (!queue) {
      const own: Exchange[] = []
      waiting.set(socket, own)
      return begin(own, request, response)
    }
    if (queue.length < MAX_WAITING) queue.push([request, response])
    else socket.destroy()
  }
}
