import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { seconds } from '../clock.ts'

/** A slow phone that keeps reading is served however long it takes; whoever takes nothing for so long is gone. */
const WRITE_TIMEOUT = seconds(30)
/** A stop waits for work, not for readers who take nothing. */
const WRITE_TIMEOUT_AT_STOP = seconds(2)
/** Parts of a time-out after which sockets are looked at: it is exceeded by one such part at most. */
const LOOKS = 8

export interface WriteTimeouts {
  /** Milliseconds without progress. */
  readonly running: number
  readonly stopping: number
}

export interface SlowReaders {
  /** From now on the shorter time-out holds. */
  beginStop(): void
}

interface Progress {
  taken: number
  /** When the system last took something; a time of `performance.now()`. */
  since: number
}

/** Connections whose answer stays open for as long as its reader likes. */
const exempt = new WeakSet<Socket>()

/** For a stream of events, which looks after its own reader. The next answer on the same connection is not exempt. */
export function exemptFromWriteTimeout(response: ServerResponse): void {
  const { socket } = response
  if (!socket) return
  exempt.add(socket)
  response.once('close', () => exempt.delete(socket))
}

/**
 * Closes connections whose client does not read what it asked for. Node's own time-out of a socket will not do: each
 * byte that the client sends begins it anew.
 */
export function closeSlowReaders(
  server: Server,
  timeouts: WriteTimeouts = { running: WRITE_TIMEOUT, stopping: WRITE_TIMEOUT_AT_STOP },
): SlowReaders {
  const open = new Map<Socket, Progress>()
  server.on('connection', socket => {
    open.set(socket, { taken: 0, since: performance.now() })
    socket.once('close', () => open.delete(socket))
  })

  const look = (timeout: number) => () => {
    for (const [socket, progress] of open) if (waitsFor(socket, progress) >= timeout) socket.destroy()
  }
  const lookEvery = (timeout: number) => setInterval(look(timeout), timeout / LOOKS).unref()
  let looking = lookEvery(timeouts.running)
  server.once('close', () => clearInterval(looking))
  return {
    beginStop() {
      clearInterval(looking)
      for (const progress of open.values()) progress.since = performance.now()
      looking = lookEvery(timeouts.stopping)
    },
  }
}

/** @returns for how many milliseconds its client has taken nothing of what is there for it. */
function waitsFor(socket: Socket, progress: Progress): number {
  const { waiting, taken } = readQueue(socket)
  if (waiting === 0 || taken !== progress.taken || exempt.has(socket)) {
    progress.taken = taken
    progress.since = performance.now()
  }
  return performance.now() - progress.since
}

/**
 * Bytes of a socket that the system has not taken yet, and that it has. Node has them for its own time-outs and tells
 * nobody; how much is in its queues changes only with whole answers.
 */
function readQueue(socket: Socket) {
  const handle: unknown = Reflect.get(socket, '_handle')
  const read = (name: string) => (handle instanceof Object ? Number(Reflect.get(handle, name)) : 0)
  const queued = read('writeQueueSize')
  return { waiting: Math.max(queued, socket.writableLength), taken: read('bytesWritten') - queued }
}
