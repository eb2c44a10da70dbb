import { type ApiClient, createApiClient } from '../../src/http/api-client.ts'
import type { Connection } from '../../src/http/responses.ts'

/** A browser as the product sees it: cookies, an origin and an IP address. */
export interface Browser {
  /** Calls a contract as the portal does. */
  readonly call: ApiClient
  readonly cookies: Map<string, string>
  /** Sends any request; a header passed here replaces the browser's own, and `null` removes it. */
  fetch(path: string, init?: BrowserRequest): Promise<Response>
  /** Sends a change with a fresh CSRF token and, unless it is undefined, a body as JSON. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | null>,
  ): Promise<Response>
}

export const USER_AGENT = 'test browser'

interface App {
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}

interface BrowserRequest {
  readonly method?: string
  readonly headers?: Record<string, string | null>
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

/** @param app the API, or the whole product */
export function openBrowser(app: App, origin: string, address: string): Browser {
  const cookies = new Map<string, string>()

  async function fetch(path: string, init: RequestInit | BrowserRequest = {}): Promise<Response> {
    const headers = new Headers({ 'sec-fetch-site': 'same-origin', origin, 'user-agent': USER_AGENT })
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '))
    const body = init.body ?? null
    if (typeof body === 'string') headers.set('content-length', String(Buffer.byteLength(body)))
    for (const [name, value] of Object.entries(init.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, String(value))
    }
    const method = init.method ?? 'GET'
    const isStream = body instanceof ReadableStream
    const request = new Request(`${origin}${path}`, {
      method,
      headers,
      body,
      ...(isStream && { duplex: 'half' }),
    })
    const response = await app.fetch(request, { peer: address })
    for (const cookie of response.headers.getSetCookie()) storeCookie(cookies, cookie)
    return response
  }

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ) {
    const { csrfToken }: { csrfToken: string } = await (await fetch('/api/csrf-token')).json()
    const ownHeaders = { 'x-csrf-token': csrfToken, ...headers }
    if (body === undefined) return await fetch(path, { method, headers: ownHeaders })
    const type = { 'content-type': 'application/json' }
    return await fetch(path, { method, headers: { ...type, ...ownHeaders }, body: JSON.stringify(body) })
  }

  return { call: createApiClient(fetch), cookies, fetch, send }
}

function storeCookie(cookies: Map<string, string>, header: string) {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const isCleared = attributes.some(attribute => attribute.toLowerCase() === 'max-age=0')
  if (isCleared) cookies.delete(name)
  else cookies.set(name, value)
}
