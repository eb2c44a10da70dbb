import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from '../client-address.ts'
import { arrivingSince, idleSince } from './one-at-a-time.ts'
import { networksOf } from './rate-limiter.ts'
import { isEventStream } from './slow-readers.ts'

/**
 * Twice what nginx keeps open by default in Debian (1,024, clients and upstreams together). Each may hold some 20 KB, so
 * that all of them together stay well below the memory limit.
 */
const MAX_CONNECTIONS = 2000
/**
 * Connections of one client address, apart from its event streams. A browser has six, so more than thirty people behind
 * one address use theirs at the same moment, and ten addresses are needed to use all.
 */
const MAX_PER_CLIENT = 200
/** Half of all, so that no network, however large, keeps the others out. */
const MAX_PER_NETWORK = MAX_CONNECTIONS / 2

/**
 * Limits the connections of a server, so that no client holds them all: one beyond its share, that of the networks around it,
 * or the limit of the server, replaces the one that has been idle for longest, or else the one whose request has been arriving
 * for longest. If all others wait for an answer, the new one is refused.
 * @param trustProxy with a proxy in front, every peer is that proxy, which has limits of its own: then there are no shares
 */
export function shareConnections(server: Server, trustProxy: number): void {
  const everyone: Group = new Map()
  const byNetwork = new Map<string, Group>()
  // Node refuses by itself what comes while as many are open.
  server.maxConnections = MAX_CONNECTIONS

  function enter(group: Group, socket: Socket, onEmpty = () => {}) {
    group.set(socket, performance.now())
    socket.once('close', () => {
      group.delete(socket)
      if (group.size === 0) onEmpty()
    })
  }

  /** @returns the connections of the same network, with this one */
  function enterShare(network: string, socket: Socket): Group {
    const share: Group = byNetwork.get(network) ?? new Map()
    byNetwork.set(network, share)
    enter(share, socket, () => byNetwork.delete(network))
    return share
  }

  /** @returns false when it has no place in one of its networks */
  function acquireSlot(socket: Socket): boolean {
    const client = clientAddress(socket.remoteAddress ?? '', undefined, 0)
    return networksOf(client).every(({ key, times }) => {
      const share = enterShare(key, socket)
      return !isBeyond(share, Math.min(times * MAX_PER_CLIENT, MAX_PER_NETWORK)) || makeRoom(share, socket)
    })
  }

  server.on('connection', socket => {
    enter(everyone, socket)
    if (trustProxy === 0 && !acquireSlot(socket)) return void socket.destroy()
    // One place stays free for the next client, who would be refused before anything here could make room.
    if (everyone.size >= server.maxConnections && countOpen(everyone) >= server.maxConnections)
      makeRoom(everyone, socket)
  })
}

/** Open connections, with when each was opened: a time of `performance.now()`. */
type Group = Map<Socket, number>

function isBeyond(share: Group, max: number): boolean {
  return share.size > max && countOpen(share, isEventStream) > max
}

function countOpen(group: Group, isLeftOut = (_: Socket) => false): number {
  let count = 0
  for (const socket of group.keys()) if (!socket.destroyed && !isLeftOut(socket)) count++
  return count
}

/** @returns false when each of the others has sent a request that is not answered yet */
function makeRoom(group: Group, newest: Socket): boolean {
  const others = [...group].filter(([socket]) => socket !== newest && !socket.destroyed)
  const oldest =
    findOldest(others, ([socket, openedAt]) => {
      const idle = idleSince(socket)
      return idle === null ? null : Math.max(idle, openedAt)
    }) ??
    // Few bodies take as long as those that are sent to hold a place.
    findOldest(others, ([socket]) => arrivingSince(socket))
  oldest?.destroy()
  return oldest !== null
}

/** @param timeOf null for one that is not meant */
function findOldest(
  all: readonly (readonly [Socket, number])[],
  timeOf: (each: readonly [Socket, number]) => number | null,
): Socket | null {
  let [oldest, since]: [Socket | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const each of all) {
    const time = timeOf(each)
    if (time !== null && time < since) [oldest, since] = [each[0], time]
  }
  return oldest
}
