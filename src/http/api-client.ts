import type * as z from 'zod/mini'
import type { Access, Endpoint, Schema } from './endpoint.ts'

/** What a refused or failed call says. `status` is 500 when nothing was heard at all. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly errors: Readonly<Record<string, string>>
  /** The message of our own server; empty when something before it answered, or nothing did. */
  readonly said: string
  /** Seconds, when the server says how long to wait. */
  readonly retryAfter: number | undefined
  /** Whether the network failed, so that nobody knows if the call arrived. */
  readonly isOffline: boolean
  /** What the response says, by whomever. */
  readonly text: string

  constructor(
    status: number,
    body: RefusedBody,
    { retryAfter, isOffline = false, text = '' }: Particulars = {},
  ) {
    super(body.message ?? '')
    this.status = status
    this.code = body.code
    this.errors = body.errors ?? {}
    this.said = isOffline ? '' : this.message
    this.retryAfter = retryAfter
    this.isOffline = isOffline
    this.text = this.said || text
  }
}

/** A failed read says its status before its words. */
class ReadFailed extends ApiError {
  constructor({ status, said, text, isOffline }: ApiError) {
    super(status, { message: said }, { isOffline, text })
    this.message = isOffline ? UNREACHABLE : [status, text].filter(Boolean).join(': ')
  }
}

interface Particulars {
  readonly retryAfter?: number
  readonly isOffline?: boolean
  readonly text?: string
}

interface RefusedBody {
  readonly message?: string
  readonly code?: string
  readonly errors?: Readonly<Record<string, string>>
}

/** Calls contracts over one way of fetching. @returns what the contract's reply declares. @throws {ApiError} */
export type ApiClient = <Allowed extends Access, Input extends Schema, Reply extends Schema>(
  contract: Endpoint<Allowed, Input, Reply>,
  input: z.input<Input>,
) => Promise<z.output<Reply>>

const UNREACHABLE = 'The server could not be reached.'
const NETWORK_FAILURE = 'Network error while submitting your request. Please try again.'

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** @param fetch `window.fetch` in the browser; a test's own client elsewhere. */
export function createApiClient(fetch: Fetch): ApiClient {
  // Kept for the life of the page. It changes at sign-in, and is then fetched once more.
  let csrfToken: string | null = null

  async function fetchCsrfToken(): Promise<string | null> {
    const response = await fetch('/api/csrf-token', { credentials: 'same-origin' })
    const body: { csrfToken?: string } = await response.json()
    return body.csrfToken ?? null
  }

  async function send(contract: Endpoint, input: Record<string, unknown>): Promise<Response> {
    if (contract.method === 'GET')
      return await fetch(address(contract.path, input, true), { credentials: 'same-origin' })
    const rest = withoutPathParts(contract.path, input)
    csrfToken ??= await fetchCsrfToken().catch(() => null)
    return await fetch(address(contract.path, input, false), {
      method: contract.method,
      credentials: 'same-origin',
      headers: {
        ...(csrfToken && { 'X-CSRF-Token': csrfToken }),
        ...(Object.keys(rest).length > 0 && { 'Content-Type': 'application/json' }),
      },
      ...(Object.keys(rest).length > 0 && { body: JSON.stringify(rest) }),
    })
  }

  return async <Reply extends Schema>(
    contract: Endpoint<Access, Schema, Reply>,
    input: Record<string, unknown>,
  ) => {
    const answer = await readReply<z.output<Reply>>(() => send(contract, input))
    if (answer instanceof ApiError && contract.method === 'GET') throw new ReadFailed(answer)
    if (answer instanceof ApiError && answer.code === 'csrf_invalid') {
      csrfToken = null
      return orThrow(await readReply<z.output<Reply>>(() => send(contract, input)))
    }
    if (contract.changesIdentity) csrfToken = null
    return orThrow(answer)
  }
}

/** Runs a request and reads what it says. @returns the body of a success, or the failure. */
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

/** @returns null for what is not JSON: the page of a proxy, or an answer that broke off. */
function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Characters of a page that are shown: a line or two. */
const SHOWN = 200

/** The words of a page that is not ours, without its markup. */
function toPlainText(page: string): string {
  const words = page
    .replace(/<(head|script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words
}

function orThrow<Body>(answer: Body | ApiError): Body {
  if (answer instanceof ApiError) throw answer
  return answer
}

function address(path: string, input: Record<string, unknown>, withQuery: boolean): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  if (!withQuery) return filled
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutPathParts(path, input))) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

function withoutPathParts(path: string, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(`:${name}`)))
}
