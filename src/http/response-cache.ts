import { seconds } from '../clock.ts'
import type { Representation } from './representation.ts'
import { type CachedResponse, lazyResponse } from './response-map.ts'

/** A change of settings, made on this node or another, is seen on the pages within this time. */
const POLL_EVERY = seconds(1)

export interface ResponseCache {
  /** The page under `key`, if it is there and no setting has changed. */
  peek(key: string): Representation | undefined
  /** The page under `key`, made at most once until a setting changes. */
  get(key: string, make: () => Promise<Representation>): Promise<Representation>
  /** Ends the looking. */
  close(): void
}

/**
 * Keeps rendered pages as bytes. `readStamp` says what pages depend on; when it changes, all are made anew. It is read
 * by itself and not by a visitor's request, which would wait for a database that is slow. When it cannot be read,
 * visitors get the pages as they were.
 */
export function createResponseCache(readStamp: () => Promise<string>): ResponseCache {
  let pages = new Map<string, CachedResponse>()
  let stamp: string | null = null
  let isLooking = false

  async function look() {
    if (isLooking) return
    isLooking = true
    const current = await readStamp().catch(() => stamp)
    if (current !== stamp) pages = new Map()
    stamp = current
    isLooking = false
  }

  // At once: a first look that came later would throw away what was made meanwhile.
  void look()
  const looking = setInterval(look, POLL_EVERY).unref()
  return {
    peek: key => pages.get(key)?.peek(''),
    get(key, make) {
      const known = pages.get(key) ?? lazyResponse(make)
      pages.set(key, known)
      return known.fetch('')
    },
    close: () => clearInterval(looking),
  }
}
