export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503

interface ErrorDetails {
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
  readonly targetUserId?: string | undefined
}

/** An expected refusal, with the words for the person who reads it. Any other error is a bug, told as 500. */
export class HttpError extends Error {
  readonly status: ErrorStatus | 500
  readonly details: ErrorDetails

  constructor(status: ErrorStatus | 500, message: string, details: ErrorDetails = {}) {
    const { stackTraceLimit } = Error
    // Nobody reads where a refusal was thrown, and to note it takes longer than much of what is refused.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.details = details
  }

  get headers(): Record<string, string> {
    const { retryAfter, headers } = this.details
    return retryAfter === undefined
      ? { ...headers }
      : { ...headers, 'Retry-After': String(Math.ceil(retryAfter)) }
  }

  /** The body of a refused call. */
  body(requestId: string) {
    const { code, errors } = this.details
    return {
      success: false,
      message: this.message,
      ...(code && { code }),
      ...(errors && { errors }),
      requestId,
    }
  }
}

/** Ends the work with a refusal. @throws {HttpError} always. */
export function throwHttpError(status: ErrorStatus, message: string, details?: ErrorDetails): never {
  throw new HttpError(status, message, details)
}
