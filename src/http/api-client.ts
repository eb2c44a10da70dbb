import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from './endpoint.ts'

/** A call that was rejected or failed. `status` is 500 when there was no response at all. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: Readonly<Record<string, string>>
  /** The whole body of the response, for fields that come with a code. */
  readonly body: Readonly<Record<string, unknown>>
  /** The message from our own server; empty when a proxy answered instead, or nothing did. */
  readonly said: string
  /** Seconds, when the response has `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Whether the network failed, so that it is unknown whether the call reached the server. */
  readonly isOffline: boolean
  /** The text of the response, from our server or from a proxy. */
  readonly text: string

  constructor(
    status: number,
    body: ErrorBody,
    { retryAfter, isOffline = false, text = '' }: ResponseInfo = {},
  ) {
    super(body.message ?? '')
    this.status = status
    this.code = body.code
    this.errors = body.errors ?? {}
    this.body = { ...body }
    this.said = isOffline ? '' : this.message
    this.retryAfter = retryAfter
    this.isOffline = isOffline
    this.text = this.said || text
  }
}

/** A failed GET, whose message starts with the status. */
class ReadFailed extends ApiError {
  constructor({ status, said, text, isOffline }: ApiError) {
    super(status, { message: said }, { isOffline, text })
    this.message = isOffline ? UNREACHABLE : [status, text].filter(Boolean).join(': ')
  }
}

interface ResponseInfo {
  readonly retryAfter?: number
  readonly isOffline?: boolean
  readonly text?: string
}

interface ErrorBody {
  readonly message?: string
  readonly code?: string
  readonly errors?: Readonly<Record<string, string>>
}

/** Calls an endpoint. @returns what the endpoint's `reply` declares. @throws {ApiError} */
export type ApiClient = <Allowed extends Access, Input extends Schema, Reply extends Schema>(
  contract: Endpoint<Allowed, Input, Reply>,
  input: z.input<Input>,
  options?: CallOptions,
) => Promise<z.output<Reply>>

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the request goes on when its page is left, if it is small enough. */
  readonly keepalive?: boolean
}

/** Bytes. A browser refuses a request of more than 64 KiB that is to outlive its page. */
const MAX_KEPT_ALIVE = 60_000

const UNREACHABLE = 'The server could not be reached.'
const NETWORK_FAILURE = 'Network error while submitting your request. Please try again.'

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** @param fetch `window.fetch` in the browser; a test's own client in tests. */
export function createApiClient(fetch: Fetch): ApiClient {
  // Kept for the life of the page, and fetched again after sign-in, which changes it.
  let csrfToken: string | null = null

  async function fetchCsrfToken(): Promise<string | null> {
    const response = await fetch('/api/csrf-token', { credentials: 'same-origin' })
    const body: { csrfToken?: string } = await response.json()
    return body.csrfToken ?? null
  }

  async function send(
    contract: Endpoint,
    input: Record<string, unknown>,
    { headers, keepalive = false }: CallOptions,
  ): Promise<Response> {
    if (contract.method === 'GET')
      return await fetch(toUrl(contract.path, input, true), { credentials: 'same-origin' })
    const rest = withoutPathParts(contract.path, input)
    csrfToken ??= await fetchCsrfToken().catch(() => null)
    const body = Object.keys(rest).length > 0 && encodeBody(rest)
    return await fetch(toUrl(contract.path, input, false), {
      method: contract.method,
      credentials: 'same-origin',
      keepalive: keepalive && new Blob([body || '']).size < MAX_KEPT_ALIVE,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        // Bytes have a type of their own.
        ...headers,
        ...(csrfToken && { 'X-CSRF-Token': csrfToken }),
      },
      ...(body && { body }),
    })
  }

  return async <Reply extends Schema>(
    contract: Endpoint<Access, Schema, Reply>,
    input: Record<string, unknown>,
    options: CallOptions = {},
  ) => {
    const reply = await readReply<z.output<Reply>>(() => send(contract, input, options))
    if (reply instanceof ApiError && contract.method === 'GET') throw new ReadFailed(reply)
    if (reply instanceof ApiError && reply.code === 'csrf_invalid') {
      csrfToken = null
      return orThrow(await readReply<z.output<Reply>>(() => send(contract, input, options)))
    }
    if (contract.changesIdentity) csrfToken = null
    return orThrow(reply)
  }
}

/** Sends a request and reads the response. @returns the body of a success, or the error. */
export async function readReply<Body>(send: () => Promise<Response>): Promise<Body | ApiError> {
  let response: Response
  try {
    response = await send()
  } catch {
    return new ApiError(500, { message: NETWORK_FAILURE }, { isOffline: true })
  }
  const text = await response.text().catch(() => '')
  const body = parse(text)
  if (response.ok) return body ?? {}
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, body ?? {}, {
    ...(!Number.isNaN(retryAfter) && { retryAfter }),
    text: (body === null && toPlainText(text)) || response.statusText,
  })
}

/** @returns null when the text is not JSON: an error page from a proxy, or a truncated response. */
function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Characters of an error page that are shown: a line or two. */
const MAX_SHOWN_LENGTH = 200

/** Strips the markup from an error page of a proxy. */
function toPlainText(page: string): string {
  const words = page
    .replace(/<(head|script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > MAX_SHOWN_LENGTH ? `${words.slice(0, MAX_SHOWN_LENGTH)}…` : words
}

function orThrow<Body>(reply: Body | ApiError): Body {
  if (reply instanceof ApiError) throw reply
  return reply
}

function toUrl(path: string, input: Record<string, unknown>, withQuery: boolean): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  if (!withQuery) return filled
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutPathParts(path, input))) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

const encodeBody = (input: Record<string, unknown>) =>
  input.bytes instanceof Uint8Array ? new Uint8Array(input.bytes) : JSON.stringify(input)

function withoutPathParts(path: string, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(`:${name}`)))
}
