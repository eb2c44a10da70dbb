export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503

interface ErrorDetails {
  /** Field name → what is wrong with it; only with 400. */
  readonly errors?: Readonly<Record<string, string>>
  /** For clients: set only where a client acts on it. */
  readonly code?: string
  /** Further fields of the reply, which a client needs to act on the code. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The name of the limit, on the first rejection in its window; only that one is logged. */
  readonly reachedLimit?: string
  /** The id of the user who was rejected, where the log could not know it otherwise. */
  readonly targetUserId?: string | undefined
}

/** An expected error, with the message for the person who reads it. Any other error is a bug, sent as 500. */
export class HttpError extends Error {
  readonly status: ErrorStatus | 500
  readonly details: ErrorDetails

  constructor(status: ErrorStatus | 500, message: string, details: ErrorDetails = {}) {
    const { stackTraceLimit } = Error
    // Nobody needs the stack of an expected error, and capturing it takes longer than many of the checks that throw.
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

  body(requestId: string) {
    const { code, errors, fields } = this.details
    return {
      ...fields,
      success: false,
      message: this.message,
      ...(code && { code }),
      ...(errors && { errors }),
      requestId,
    }
  }
}

/** @throws {HttpError} always */
export function throwHttpError(status: ErrorStatus, message: string, details?: ErrorDetails): never {
  throw new HttpError(status, message, details)
}

/** @throws {HttpError} 400 always, which says the same of a field */
export function throwFieldError(field: string, message: string): never {
  throwHttpError(400, message, { errors: { [field]: message } })
}
