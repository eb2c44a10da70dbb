import type { Representation } from './representation.ts'

/** Something that GET finds at one path, made when first asked for. */
export interface CachedResponse {
  /** What there is without waiting. @param query without the question mark. */
  peek(query: string): Representation | undefined
  /** The same, made when it is not at hand. */
  fetch(query: string): Promise<Representation>
}

/**
 * All that GET finds ready-made, by path: pages, shells and files. Hono's route and the listener in front of it both
 * look here, so that what is at an address is said once.
 */
export type ResponseMap = ReadonlyMap<string, CachedResponse>

/** Makes it once, whatever the query. A making that failed is tried again by the next visitor. */
export function lazyResponse(make: () => Promise<Representation>): CachedResponse {
  let made: Representation | undefined
  let making: Promise<Representation> | undefined
  async function begin() {
    try {
      made = await make()
      return made
    } finally {
      making = undefined
    }
  }
  return {
    peek: () => made,
    async fetch() {
      if (made) return made
      making ??= begin()
      return await making
    },
  }
}
