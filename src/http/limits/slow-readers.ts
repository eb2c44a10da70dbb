import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { seconds } from '../../platform/clock.ts'

/** A slow client that keeps reading is served however long it takes; one that reads nothing for this long is closed. */
const WRITE_TIMEOUT = seconds(30)
/** A shutdown waits for requests in flight, not for clients that read nothing. */
const WRITE_TIMEOUT_AT_STOP = seconds(2)
/** Checks per timeout, so that a timeout is exceeded by an eighth at most. */
const CHECKS_PER_TIMEOUT = 8

export type SlowReaders = ReturnType<typeof closeSlowReaders>

interface Progress {
  /** Bytes that the system has accepted. */
  written: number
  /** When the system last accepted something; a time of `performance.now()`. */
  since: number
}

/** Connections with an event stream, whose response may stay open without progress. */
const exempt = new WeakSet<Socket>()

/** For an event stream, which has its own checks. The next response on the same connection is not exempt. */
export function exemptFromWriteTimeout(response: ServerResponse): void {
  const { socket } = response
  if (!socket) return
  exempt.add(socket)
  response.once('close', () => exempt.delete(socket))
}

export function isEventStream(socket: Socket): boolean {
  return exempt.has(socket)
}

/**
 * Closes connections whose client does not read its response. Node's own socket timeout will not do: each byte that the
 * client sends restarts it.
 */
export function closeSlowReaders(
  server: Server,
  timeouts = { running: WRITE_TIMEOUT, stopping: WRITE_TIMEOUT_AT_STOP },
) {
  const open = new Map<Socket, Progress>()
  server.on('connection', socket => {
    open.set(socket, { written: 0, since: performance.now() })
    socket.once('close', () => open.delete(socket))
  })

  const check = (timeout: number) => () => {
    for (const [socket, progress] of open) if (stalledFor(socket, progress) >= timeout) socket.destroy()
  }
  const startChecks = (timeout: number) => setInterval(check(timeout), timeout / CHECKS_PER_TIMEOUT).unref()
  let timer = startChecks(timeouts.running)
  server.once('close', () => clearInterval(timer))
  return {
    /** Applies the shorter timeout from now on. */
    beginStop() {
      clearInterval(timer)
      for (const progress of open.values()) progress.since = performance.now()
      timer = startChecks(timeouts.stopping)
    },
  }
}

/** @returns for how many milliseconds the client has read nothing of what is queued for it */
function stalledFor(socket: Socket, progress: Progress): number {
  const { waiting, written } = readQueue(socket)
  if (waiting === 0 || written !== progress.written || exempt.has(socket)) {
    progress.written = written
    progress.since = performance.now()
  }
  return performance.now() - progress.since
}

/**
 * Returns how many bytes of a socket the system has not accepted yet, and how many it has. They come from Node's internal
 * handle, because the public queue sizes change only with whole responses.
 */
function readQueue(socket: Socket) {
  const handle: unknown = Reflect.get(socket, '_handle')
  const read = (name: string) => (handle instanceof Object ? Number(Reflect.get(handle, name)) : 0)
  const queued = read('writeQueueSize')
  return { waiting: Math.max(queued, socket.writableLength), written: read('bytesWritten') - queued }
}
