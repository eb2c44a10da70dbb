import type { ContentStore } from '../content/store.server.ts'
import type { Database } from '../database/tables.ts'
import { countBytes, encodeResponse, type Representation } from '../http/representation.ts'
import type { CachedResponse } from '../http/responses.ts'
import { responseHeaders } from '../http/security-headers.ts'
import { type Clock, minutes } from '../platform/clock.ts'
import { createPictureEncoder } from './encoder.server.ts'
import { sharedSize } from './sizes.ts'
import { findLargest, findMoved, findPicture, readFile } from './store.server.ts'

/** Pictures that staff upload: how they become files of all sizes, and how these are served. */
export function openPictures(db: Database, publicUrl: string, clock: Clock, content: ContentStore) {
  const live = { has: (id: string) => content.read().pictures.has(id), refresh: content.refresh }
  return { encoder: createPictureEncoder(), files: createPictureFiles(db, publicUrl, clock, live) }
}

/** Bytes. The pictures of a busy site's pages; what does not fit is read from the database again. */
const MAX_CACHED = 8 * 1024 * 1024
/** Milliseconds. A picture may be deleted once no live page shows it. */
const LIFETIME = minutes(1)

const ADDRESS = /^\/pictures\/(([0-9a-f]{32})-\d{1,4}\.(avif|webp|jpg|png))$/
/** As it was while the hash of an upload was its id. */
const OLD_ADDRESS = /^\/pictures\/([0-9a-f]{64})(-\d{1,4}\.(?:avif|webp))$/

/** Of a WebP in place of a JPEG: the JPEG has the same address once there is one. */
const STAND_IN_CONTROL = 'public, max-age=300'

interface Kept {
  readonly id: string
  readonly response: Representation
  readonly bytes: number
  readonly loadedAt: number
}

/** The pictures of the pages that visitors see. */
interface LivePictures {
  has(id: string): boolean
  /** Reads what is live now. */
  refresh(): Promise<void>
}

/**
 * What is served below `/pictures/`. What is public is decided by the page that is live, at each request.
 * @param limit bytes that are kept in memory
 */
export function createPictureFiles(
  db: Database,
  publicUrl: string,
  clock: Clock,
  live: LivePictures,
  limit = MAX_CACHED,
) {
  /** The one that was asked for last is at the end. */
  const kept = new Map<string, Kept>()
  const loading = new Map<string, Promise<Representation | null>>()
  const lookAgain = shared(live.refresh)
  let size = 0

  /**
   * The page may come from a node that published a moment ago. Everybody waits for that look, whether there is such a picture
   * or not, so the time says nothing.
   */
  async function isLiveNow(id: string) {
    if (!live.has(id)) await lookAgain()
    return live.has(id)
  }

  function drop(path: string) {
    size -= kept.get(path)?.bytes ?? 0
    kept.delete(path)
  }

  function find(path: string): Representation | undefined {
    const found = kept.get(path)
    if (!found || !live.has(found.id)) return undefined
    if (clock().getTime() >= found.loadedAt + LIFETIME) return void drop(path)
    kept.delete(path)
    kept.set(path, found)
    return found.response
  }

  function keep(path: string, id: string, response: Representation) {
    drop(path)
    const bytes = countBytes(response)
    kept.set(path, { id, response, bytes, loadedAt: clock().getTime() })
    size += bytes
    for (const oldest of kept.keys()) if (size > limit) drop(oldest)
  }

  async function read(path: string, cacheControl: string, standInControl = cacheControl) {
    const [, name = '', id = '', format = ''] = ADDRESS.exec(path) ?? []
    const stored = name ? await readFile(db, name) : null
    const largest = stored || format !== 'jpg' ? null : await findStandIn(db, id, name)
    const body = largest ? await readFile(db, largest) : stored
    const type = largest ? 'webp' : format.replace('jpg', 'jpeg')
    const control = largest ? standInControl : cacheControl
    const headers = { 'Content-Type': `image/${type}`, 'Cache-Control': control }
    return body && (await encodeResponse(body, { ...responseHeaders(publicUrl), ...headers }))
  }

  async function load(path: string, id: string) {
    const response = await read(path, 'public, max-age=31536000, immutable', STAND_IN_CONTROL)
    if (response) keep(path, id, response)
    return response
  }

  /** Reads a file that a live page uses, once for all who ask at the same time. @returns null if there is none */
  async function fetch(path: string) {
    const id = ADDRESS.exec(path)?.[2]
    if (id === undefined || !(await isLiveNow(id))) return null
    const found = find(path) ?? loading.get(path)
    if (found) return await found
    const loaded = load(path, id).finally(() => loading.delete(path))
    loading.set(path, loaded)
    return await loaded
  }

  return {
    /** What a live page uses and is in memory, to be sent without waiting. */
    get(path: string): CachedResponse | undefined {
      if (!path.startsWith('/pictures/')) return undefined
      const found = find(path)
      return found && { peek: () => found, fetch: async () => found }
    },
    fetch,
    /** Reads a file of any picture, for those who may read content. Nobody keeps it. @returns null if there is none */
    fetchPrivate: (path: string) => read(path, 'no-store'),
    /** Where a picture is now whose address was its hash. @returns null unless a live page uses it */
    async findMoved(path: string) {
      const [, sha256, size] = OLD_ADDRESS.exec(path) ?? []
      if (sha256 === undefined) return null
      const id = await findMoved(db, sha256)
      return (await isLiveNow(id ?? '')) ? `/pictures/${id}${size}` : null
    },
    /** Bytes in memory. */
    size: () => size,
  }
}

/** The largest WebP of a picture that was added before there were JPEGs, at the one address that pages name. */
async function findStandIn(db: Database, id: string, name: string): Promise<string | null> {
  const picture = await findPicture(db, id)
  const isShared = picture && name === `${id}-${sharedSize(picture).width}.jpg`
  return isShared ? await findLargest(db, id) : null
}

/** Runs one after the other: all calls that come while one runs wait for the next together. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      running = run()
      return running
    })
    return next
  }
}
