import { replies } from '../../i18n/texts.ts'
import { createConcurrencyLimit } from '../../platform/turns.ts'
import { throwHttpError } from '../http-error.ts'
import type { Credentials } from '../request-checks.ts'

/** Calls of one caller that are worked on at the same time: a browser has as many connections to a site. */
const AT_ONCE = 6
/** Calls of one caller that wait for those. Nothing of their bodies is read meanwhile. */
const MAX_WAITING = 60

interface Caller {
  readonly run: ReturnType<typeof createConcurrencyLimit>
  /** Calls that are worked on or wait. */
  calls: number
}

const callers = new Map<string, Caller>()

/**
 * Works on a few calls of a caller at the same time, in their order: however many somebody makes, the others wait no longer
 * than for those few. Each session is a caller of its own, and so are the tokens of a person together, so that nobody who
 * has another's token keeps them out of the portal.
 * @throws {HttpError} 429 when too many wait
 */
export async function limitPerCaller<T>(
  { user, session, pending, token }: Credentials,
  work: () => Promise<T>,
): Promise<T> {
  const key = token ? `tokens of ${user?.id}` : (session?.id ?? pending?.tokenHash)
  if (key === undefined) return await work()
  const caller = callers.get(key) ?? { run: createConcurrencyLimit(AT_ONCE), calls: 0 }
  if (caller.calls === AT_ONCE + MAX_WAITING) throwHttpError(429, replies.tooMany, { retryAfter: 1 })
  callers.set(key, caller)
  caller.calls++
  try {
    return await caller.run(work)
  } finally {
    caller.calls--
    if (caller.calls === 0) callers.delete(key)
  }
}
