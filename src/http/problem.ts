export type Refusal = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503

interface Particulars {
  /** Field name → what is wrong with it; only with 400. */
  readonly errors?: Readonly<Record<string, string>>
  /** Where a client acts on it. */
  readonly code?: string
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The limit that this refusal is the first of in its window; the log tells of that one and of no other. */
  readonly reachedLimit?: string
  /** The id of whoever was refused, where the log could not know it otherwise. */
  readonly ofUser?: string | undefined
}

/** An expected refusal, with the words for the person who reads it. Any other error is a bug, told as 500. */
export class Problem extends Error {
  readonly status: Refusal | 500
  readonly particulars: Particulars

  constructor(status: Refusal | 500, message: string, particulars: Particulars = {}) {
    const { stackTraceLimit } = Error
    // Nobody reads where a refusal was thrown, and to note it takes longer than much of what is refused.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.particulars = particulars
  }

  get headers(): Record<string, string> {
    const { retryAfter, headers } = this.particulars
    return retryAfter === undefined
      ? { ...headers }
      : { ...headers, 'Retry-After': String(Math.ceil(retryAfter)) }
  }

  /** The body of a refused call. */
  body(requestId: string) {
    const { code, errors } = this.particulars
    return {
      success: false,
      message: this.message,
      ...(code && { code }),
      ...(errors && { errors }),
      requestId,
    }
  }
}

/** Ends the work with a refusal. @throws {Problem} always. */
export function refuse(status: Refusal, message: string, particulars?: Particulars): never {
  throw new Problem(status, message, particulars)
}
