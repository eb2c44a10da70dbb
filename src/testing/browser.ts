import { type Caller, createCaller } from '../http/call.ts'
import type { App } from '../http/serve.ts'

/** What the product sees of a browser: cookies, its own origin, an address. */
export interface Browser {
  /** Calls a contract as the portal does. */
  readonly call: Caller
  readonly cookies: Map<string, string>
  /** Sends any request; a header given here replaces the browser's own, and `null` leaves it out. */
  fetch(
    path: string,
    init?: {
      method?: string
      headers?: Record<string, string | null>
      body?: string | Uint8Array<ArrayBuffer>
    },
  ): Promise<Response>
}

export function openBrowser(app: App, origin: string, address: string): Browser {
  const cookies = new Map<string, string>()

  async function fetch(
    path: string,
    init: RequestInit | Parameters<Browser['fetch']>[1] = {},
  ): Promise<Response> {
    const headers = new Headers({ 'sec-fetch-site': 'same-origin', origin, 'user-agent': 'test browser' })
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '))
    for (const [name, value] of Object.entries(init?.headers ?? {})) {
      if (value === null) headers.delete(name)
      else headers.set(name, String(value))
    }
    const body = init?.body ?? null
    if (typeof body === 'string') headers.set('content-length', String(Buffer.byteLength(body)))
    const method = init?.method ?? 'GET'
    const response = await app.fetch(new Request(`${origin}${path}`, { method, headers, body }), {
      peer: address,
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
    return response
  }

  return { call: createCaller(fetch), cookies, fetch }
}

function keep(cookies: Map<string, string>, header: string) {
  const [pair = '', ...attributes] = header.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const isCleared = attributes.some(attribute => attribute.toLowerCase() === 'max-age=0')
  if (isCleared) cookies.delete(name)
  else cookies.set(name, value)
}
