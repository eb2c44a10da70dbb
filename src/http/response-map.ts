import type { Representation } from './representation.ts'

/** The response to GET at one path, created on the first request. */
export interface CachedResponse {
  /** Returns what is cached, without waiting. @param query without the question mark */
  peek(query: string): Representation | undefined
  /** Returns the same, and creates it when it is not cached. */
  fetch(query: string): Promise<Representation>
}

/** Cached responses to GET by path, fixed when the app starts: pages, shells and files. */
export type ResponseMap = ReadonlyMap<string, CachedResponse>

/**
 * What is at a path now. Both Hono's route and the listener in front of it look here, so that it is defined once.
 */
export interface Responses {
  get(path: string): CachedResponse | undefined
}

/** Creates a response once, whatever the query. After a failure, the next request tries again. */
export function lazyResponse(create: () => Promise<Representation>): CachedResponse {
  let created: Representation | undefined
  let pending: Promise<Representation> | undefined
  async function start() {
    try {
      created = await create()
      return created
    } finally {
      pending = undefined
    }
  }
  return {
    peek: () => created,
    async fetch() {
      if (created) return created
      pending ??= start()
      return await pending
    },
  }
}
