export type Call = (
  method: string,
  place: string,
  body?: object | Uint8Array,
) => ReturnType<typeof JSON.parse>

/** Calls below /api/content, with the token of an editor. */
export function openContentCalls(url: string, token: string): Call {
  return callsWith(url, { Authorization: `Bearer ${token}` })
}

/** The same with the session of a cookie. */
export async function openSessionCalls({ url, cookie }: { readonly url: string; readonly cookie: string }) {
  const { csrfToken } = await (await fetch(`${url}/api/csrf-token`, { headers: { cookie } })).json()
  return callsWith(url, { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin' })
}

function callsWith(url: string, credentials: Record<string, string>): Call {
  return async (method, place, body) => {
    const isBytes = body instanceof Uint8Array
    const headers = { ...credentials, ...(!isBytes && { 'Content-Type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: isBytes ? body.slice() : JSON.stringify(body) }) }
    const reply = await fetch(`${url}/api/content${place}`, init)
    if (!reply.ok) throw new Error(`${method} ${place} got ${reply.status}: ${await reply.text()}`)
    return await reply.json()
  }
}

/** The id of the document at a path. */
export async function findId(call: Call, path: string): Promise<string | undefined> {
  const { documents }: { documents: { id: string; path: string }[] } = await call(
    'GET',
    `?q=${path}&limit=200`,
  )
  return documents.find(document => document.path === path)?.id
}
