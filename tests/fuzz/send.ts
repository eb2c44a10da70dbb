import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Accounts } from './accounts.ts'
import type { FuzzRequest } from './requests.ts'
import { KNOWN_ID } from './schema-values.ts'

export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Fills in a drawn request for these accounts. @param turn chooses among ids, and gives each request its own IP address */
export function write(drawn: FuzzRequest, accounts: Accounts, csrfToken: string, turn: number): Sent {
  const { operation, method, rawQuery, query, role, shows, csrf, origin } = drawn
  const fill = (place: string, given: string) => {
    const ids = accounts.idsFor(operation.path, place)
    return given.replaceAll(KNOWN_ID, ids[turn % ids.length] ?? '')
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encode(fill(name, drawn.pathParts[name] ?? '')),
  )
  const encoded = query.map(([name, value]) => `${encode(name)}=${encode(fill(name, value))}`).join('&')
  const search = rawQuery ?? encoded
  const token = role === 'viewer' || role === 'admin' ? accounts.tokens[role] : 'lf_api_none'
  const hasToken = shows !== 'cookie'
  const headers = {
    ...Object.fromEntries(drawn.headers.map(([name, value]) => [name.toLowerCase(), printable(value)])),
    ...(shows !== 'token' && accounts.cookies[role] && { cookie: accounts.cookies[role] }),
    ...(hasToken && { authorization: `Bearer ${shows === 'bad token' ? `${token}x` : token}` }),
    ...(csrf !== 'none' && { 'x-csrf-token': csrf === 'right' ? csrfToken : `${csrfToken}x` }),
    ...(origin && { 'sec-fetch-site': origin }),
    ...(drawn.body !== null && { 'content-type': drawn.contentType }),
    'x-forwarded-for': `2001:${(0xdb8 + (turn >> 16)).toString(16)}:${(turn & 0xffff).toString(16)}::1`,
  }
  const body = drawn.body && fill(operation.path.includes('tokens') ? 'userId' : 'id', drawn.body)
  return { method, target: search ? `${path}?${search}` : path, headers, body }
}

/** @throws when the connection breaks without a reply. */
export function send(agent: Agent, url: string, { method, target, headers, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { agent, hostname, port, path: target, method, headers: { ...headers, ...length } }
    const outgoing = request(options, reply => {
      const { statusCode = 0, headers: given } = reply
      text(reply).then(read => resolve({ status: statusCode, headers: given, body: read }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const encode = (given: string) => encodeURIComponent(given.toWellFormed())

/** Removes the characters that Node's client throws for in a header. */
function printable(given: string): string {
  return Buffer.from(given)
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
