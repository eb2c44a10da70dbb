import { encodeInChild } from './child-process.server.ts'
import type { Outcome } from './encoded.ts'
import { createGiveWay, type GiveWay } from './give-way.server.ts'
import { readOutcome } from './read-outcome.server.ts'

/** Pictures that are being encoded or wait for it. Each may be 8 MB, and the last of them waits some 20 seconds. */
export const MAX_PLACES = 4
/** Of one person, who may send their files as slowly as they like while the others upload theirs. */
export const MAX_PLACES_PER_USER = 2

/** Encodes pictures, one at a time, in a process of its own for each. */
export interface PictureEncoder {
  /** Takes a place before the upload is read. @returns what gives it back; null while all of them, or all of this user, are taken */
  takePlace(userId: string): (() => void) | null
  /** @throws {ChildFailed} when the process fails or is too slow, or after `close` */
  encode(bytes: Uint8Array): Promise<Outcome>
  /** Stops encoding while a request is answered. */
  readonly whileAnswering: GiveWay['whileAnswering']
  /** Ends the process, and lets those that wait fail. */
  close(): Promise<void>
}

/** @param run runs the process; tests pass their own */
export function createPictureEncoder(run: typeof encodeInChild = encodeInChild): PictureEncoder {
  const closing = new AbortController()
  const giveWay = createGiveWay()
  /** The user of each place. */
  const taken: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    whileAnswering: giveWay.whileAnswering,
    takePlace(userId) {
      const own = taken.filter(each => each === userId).length
      if (taken.length >= MAX_PLACES || own >= MAX_PLACES_PER_USER) return null
      taken.push(userId)
      return () => {
        taken.splice(taken.indexOf(userId), 1)
      }
    },
    async encode(bytes) {
      const turn = last.then(async () => readOutcome(await run(bytes, closing.signal, giveWay)))
      last = turn.catch(() => {})
      return await turn
    },
    async close() {
      closing.abort()
      await last
    },
  }
}
