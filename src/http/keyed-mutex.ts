import type { Database } from '../database/tables.ts'

/** For each node, identified by its database connection: the last piece of work queued for each key. */
const nodes = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Runs work for one key at a time, in order of arrival. A browser that repeats a request before the first is answered
 * sends the same bot-check token, which works once: the second request has to wait for the first one's reply.
 */
export async function keyedMutex<T>(node: Database, key: string, work: () => Promise<T>): Promise<T> {
  const inFlight = nodes.get(node) ?? new Map<string, Promise<unknown>>()
  nodes.set(node, inFlight)
  const previous = inFlight.get(key)
  const current = (previous ?? Promise.resolve()).then(work, work)
  inFlight.set(key, current)
  try {
    return await current
  } finally {
    if (inFlight.get(key) === current) inFlight.delete(key)
  }
}
