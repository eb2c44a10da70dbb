import { type Clock, minutes } from '../clock.ts'
import type { Database } from '../database/tables.ts'
import { countBytes, encodeResponse, type Representation } from '../http/representation.ts'
import type { CachedResponse } from '../http/response-map.ts'
import { responseHeaders } from '../http/security-headers.ts'
import { readFile } from './store.server.ts'

/** Bytes. The pictures of a busy site's pages; what does not fit is read from the database again. */
const MAX_CACHED = 8 * 1024 * 1024
/** Milliseconds. Another node may delete a picture: then it is gone from here as well. */
const LIFETIME = minutes(1)

const ADDRESS = /^\/pictures\/([0-9a-f]{64}-\d{1,4}\.(avif|webp))$/

interface Kept {
  readonly response: Representation
  readonly bytes: number
  readonly loadedAt: number
}

/** What is served below `/pictures/`. */
export interface PictureFiles {
  /** What is in memory, to be sent without waiting. */
  get(path: string): CachedResponse | undefined
  /** Reads a file from the database, once for all who ask at the same time. @returns null if there is none */
  fetch(path: string): Promise<Representation | null>
  /** Forgets all files of a picture. */
  forget(id: string): void
  /** Bytes in memory. */
  size(): number
}

/** @param limit bytes that are kept in memory */
export function createPictureFiles(
  db: Database,
  publicUrl: string,
  clock: Clock,
  limit = MAX_CACHED,
): PictureFiles {
  /** The one that was asked for last is at the end. */
  const kept = new Map<string, Kept>()
  const loading = new Map<string, Promise<Representation | null>>()
  let size = 0

  function drop(path: string) {
    size -= kept.get(path)?.bytes ?? 0
    kept.delete(path)
  }

  function find(path: string): Representation | undefined {
    const found = kept.get(path)
    if (!found) return undefined
    if (clock().getTime() >= found.loadedAt + LIFETIME) return void drop(path)
    kept.delete(path)
    kept.set(path, found)
    return found.response
  }

  function keep(path: string, response: Representation) {
    drop(path)
    const bytes = countBytes(response)
    kept.set(path, { response, bytes, loadedAt: clock().getTime() })
    size += bytes
    for (const oldest of kept.keys()) if (size > limit) drop(oldest)
  }

  async function load(path: string) {
    const [, name = '', format = ''] = ADDRESS.exec(path) ?? []
    const body = name ? await readFile(db, name) : null
    if (!body) return null
    const response = await encodeResponse(body, {
      ...responseHeaders(publicUrl),
      'Content-Type': `image/${format}`,
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
    keep(path, response)
    return response
  }

  async function fetch(path: string) {
    const found = find(path) ?? loading.get(path)
    if (found) return await found
    const loaded = load(path).finally(() => loading.delete(path))
    loading.set(path, loaded)
    return await loaded
  }

  return {
    get(path) {
      if (!path.startsWith('/pictures/')) return undefined
      const found = find(path)
      return found && { peek: () => found, fetch: async () => found }
    },
    fetch,
    forget(id) {
      for (const path of kept.keys()) if (path.startsWith(`/pictures/${id}-`)) drop(path)
    },
    size: () => size,
  }
}
