import { seconds } from '../platform/clock.ts'
import { countBytes, type Representation } from './representation.ts'
import { type CachedResponse, lazyResponse } from './responses.ts'

/** Milliseconds. A change of settings on another node shows on the pages within this time. */
const POLL_INTERVAL = seconds(1)

/** Bytes, of all encodings. Three hundred pages, which leaves room for the rest of the process. */
const MAX_BYTES = 16 * 1024 * 1024

/** Pages that are rendered again at once when the content changes. */
const RENEWED = 10

type Render = () => Promise<Representation>

interface Entry {
  readonly response: CachedResponse
  readonly render: Render
  /** None while it is being rendered. */
  bytes: number
  /** The number of the request that used it last. */
  lastUse: number
}

/**
 * Caches rendered pages as bytes. When the revision changes, all pages are rendered again. The revision is polled and not
 * read by a visitor's request, which would have to wait for a slow database. When it cannot be read, visitors get the
 * cached pages. A change on this node does not wait for the poll: it calls `clear`.
 * @param readRevision returns a text that changes whenever something that pages depend on changes on another node. It is
 * kept, so it must not contain a secret
 * @param maxBytes beyond it, the page that was not used for longest is discarded
 */
export function createResponseCache(readRevision: () => Promise<string>, maxBytes = MAX_BYTES) {
  let pages = new Map<string, Entry>()
  let uses = 0
  let usesAtChange = 0
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

  /** Discards all pages, also those that are being rendered. */
  function clear() {
    pages = new Map()
  }

  /**
   * Replaces all pages at once, when those used since the last time are rendered again. Until then visitors get the old
   * ones from memory, so that nobody waits, however many ask meanwhile. @param first the keys of the pages that changed
   */
  async function renew(first: ReadonlyMap<string, Render>) {
    const before = pages
    const used = [...pages]
      .filter(([, { lastUse }]) => lastUse > usesAtChange)
      .sort(([, one], [, other]) => other.lastUse - one.lastUse)
      .map(([key, { render }]) => [key, render] as const)
    usesAtChange = uses
    const next = new Map<string, Entry>()
    // One after the other, because rendering holds up everything else.
    for (const [key, render] of new Map([...first, ...used].slice(0, RENEWED)))
      await add(next, key, render)
        .response.fetch('')
        .catch(() => next.delete(key))
    // Unless they were discarded meanwhile, or replaced by a later change.
    if (pages === before) pages = next
  }

  function add(own: Map<string, Entry>, key: string, render: Render): Entry {
    const response = lazyResponse(async () => {
      const rendered = await render()
      entry.bytes = countBytes(rendered)
      discardUnused(own, maxBytes)
      return rendered
    })
    const entry: Entry = { response, render, bytes: 0, lastUse: 0 }
    own.set(key, entry)
    return entry
  }

  // Poll immediately: a later first poll would discard what was rendered meanwhile.
  void poll()
  const timer = setInterval(poll, POLL_INTERVAL).unref()
  return {
    peek(key: string) {
      const entry = pages.get(key)
      if (!entry) return undefined
      entry.lastUse = ++uses
      return entry.response.peek('')
    },
    /** The page of `key`, rendered at most once until the cache is cleared or needs its room for others. */
    get(key: string, render: Render) {
      const entry = pages.get(key) ?? add(pages, key, render)
      entry.lastUse = ++uses
      return entry.response.fetch('')
    },
    clear,
    renew,
    close: () => clearInterval(timer),
  }
}

/** Runs when a page is added, which costs many times as much as looking at a thousand entries. */
function discardUnused(pages: Map<string, Entry>, maxBytes: number) {
  let total = 0
  for (const { bytes } of pages.values()) total += bytes
  if (total <= maxBytes) return
  const oldestFirst = [...pages].sort(([, one], [, other]) => one.lastUse - other.lastUse)
  for (const [key, { bytes }] of oldestFirst) {
    if (total <= maxBytes) return
    pages.delete(key)
    total -= bytes
  }
}
