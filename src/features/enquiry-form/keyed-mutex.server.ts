import type { Database } from '../../database/tables.ts'

/** Of each node, which is known by its way to the database: the last piece of work for each key in hand. */
const nodes = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Runs work for one key at a time, in the order it came. A browser that repeats a request before the first is answered
 * brings the same bot-check token, which works once: the second has to wait for the first one's answer.
 */
export async function keyedMutex<T>(node: Database, key: string, work: () => Promise<T>): Promise<T> {
  const inFlight = nodes.get(node) ?? new Map<string, Promise<unknown>>()
  nodes.set(node, inFlight)
  const before = inFlight.get(key)
  const mine = (before ?? Promise.resolve()).then(work, work)
  inFlight.set(key, mine)
  try {
    return await mine
  } finally {
    if (inFlight.get(key) === mine) inFlight.delete(key)
  }
}
