import { seconds } from '../clock.ts'
import type { Representation } from './representation.ts'
import { type CachedResponse, lazyResponse } from './response-map.ts'

/** Milliseconds. A change of settings on another node shows on the pages within this time. */
const POLL_INTERVAL = seconds(1)

export interface ResponseCache {
  /** The page of `key`, if it is cached. */
  peek(key: string): Representation | undefined
  /** The page of `key`, rendered at most once until the cache is cleared. */
  get(key: string, render: () => Promise<Representation>): Promise<Representation>
  /** Discards all pages, also those that are being rendered. */
  clear(): void
  /** Stops polling. */
  close(): void
}

/**
 * Caches rendered pages as bytes. When the revision changes, all pages are rendered again. The revision is polled and not
 * read by a visitor's request, which would have to wait for a slow database. When it cannot be read, visitors get the
 * cached pages. A change on this node does not wait for the poll: it calls `clear`.
 * @param readRevision returns a text that changes whenever something that pages depend on changes on another node. It is
 * kept, so it must not contain a secret
 */
export function createResponseCache(readRevision: () => Promise<string>): ResponseCache {
  let pages = new Map<string, CachedResponse>()
  let revision: string | null = null
  let isPolling = false

  async function poll() {
    if (isPolling) return
    isPolling = true
    const current = await readRevision().catch(() => revision)
    if (current !== revision) clear()
    revision = current
    isPolling = false
  }

  function clear() {
    pages = new Map()
  }

  // Poll immediately: a later first poll would discard what was rendered meanwhile.
  void poll()
  const timer = setInterval(poll, POLL_INTERVAL).unref()
  return {
    peek: key => pages.get(key)?.peek(''),
    get(key, render) {
      const cached = pages.get(key) ?? lazyResponse(render)
      pages.set(key, cached)
      return cached.fetch('')
    },
    clear,
    close: () => clearInterval(timer),
  }
}
