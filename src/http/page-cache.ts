import { type Clock, seconds } from '../clock.ts'
import type { Representation } from './representation.ts'

/** A change of settings, made on this node or another, is seen on the pages within this time. */
const LOOK_EVERY = seconds(1)

export interface PageCache {
  /** The page under `key`, made at most once until a setting changes. */
  get(key: string, make: () => Promise<Representation>): Promise<Representation>
}

/**
 * Keeps rendered pages as bytes. `readStamp` says what pages depend on; when it changes, all are made anew. When it
 * cannot be read, because the database is down, visitors get the pages as they were.
 */
export function createPageCache(clock: Clock, readStamp: () => Promise<string>): PageCache {
  let pages = new Map<string, Promise<Representation>>()
  let stamp: string | null = null
  let lookedAt = 0

  async function look() {
    const now = clock().getTime()
    if (Math.abs(now - lookedAt) < LOOK_EVERY) return
    lookedAt = now
    const current = await readStamp().catch(() => stamp)
    if (current !== stamp) pages = new Map()
    stamp = current
  }

  return {
    async get(key, make) {
      await look()
      const known = pages.get(key)
      if (known) return await known
      const home = pages
      const made = make()
      home.set(key, made)
      // A page that could not be made is tried again by the next visitor.
      made.catch(() => home.delete(key))
      return await made
    },
  }
}
