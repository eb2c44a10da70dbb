import { HttpError } from './http-error.ts'
import type { Limit } from './limit.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Counts one rejected request. @returns the 429 to send instead when the limit is used up, perhaps by another node; null otherwise. */
export async function consumeRefusal(
  rateLimiter: RateLimiter,
  limit: Limit | undefined,
  { address }: { readonly address: string },
): Promise<HttpError | null> {
  try {
    if (!limit) return null
    // Once the limit is used up, further counting would only load the database.
    rateLimiter.check(limit, address)
    await rateLimiter.consume(limit, address)
  } catch (error) {
    // An unavailable database must not replace the original error.
    if (error instanceof HttpError) return error
  }
  return null
}
