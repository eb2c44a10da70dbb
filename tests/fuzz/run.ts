import { Agent } from 'node:http'
import fc from 'fast-check'
import type { OpenApiDocument } from '../../src/http/openapi/openapi.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Accounts, seedAccounts } from './accounts.ts'
import { checkReply } from './check-reply.ts'
import { type FuzzRequest, type Role, requestsOf, roles } from './requests.ts'
import { type Received, type Sent, send, write } from './send.ts'

/** Requests that use the same accounts. Afterwards new ones are created, since most are then deleted or signed out. */
const REQUESTS_PER_SEED = 60
/** Concurrent connections, so that requests also interfere with each other. */
const CONNECTIONS = 8

/** The server's limit, in bytes. */
const MAX_HEADERS = 16 * 1024

export interface Findings {
  /** What is wrong → the first request that showed it, and how many did. */
  readonly faults: ReadonlyMap<string, { readonly request: string; count: number }>
  /** Status → how many replies had it. */
  readonly statuses: ReadonlyMap<number, number>
}

/** Sends requests that are drawn from the API reference at `url`, and checks each reply against it. @param progress gets the number sent so far */
export async function run(
  testApp: TestApp,
  url: string,
  count: number,
  seed: number,
  progress: (sent: number) => void,
): Promise<Findings> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const reference = await fetch(`${url}/api/openapi.json`)
  const document: OpenApiDocument = await reference.json()
  const arbitrary = requestsOf(document)
  const faults = new Map<string, { request: string; count: number }>()
  const statuses = new Map<number, number>()

  async function tryOne(
    drawn: FuzzRequest,
    accounts: Accounts,
    csrfTokens: Record<Role, string>,
    turn: number,
  ) {
    const sent = write(drawn, accounts, csrfTokens[drawn.role], turn)
    const reply = await send(agent, url, sent).catch(error => asReply(error, sent))
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const fault = checkReply(document, drawn, sent, reply)
    if (!fault) return
    const name = `${drawn.operation.operationId}: ${fault.replace(/[0-9a-f-]{36}/g, '…')}`
    const known = faults.get(name)
    if (known) known.count++
    else faults.set(name, { request: describeFailure(testApp, sent, reply.body), count: 1 })
  }

  for (let start = 0; start < count; start += REQUESTS_PER_SEED) {
    const accounts = await seedAccounts(testApp)
    const { accounts: ready, csrfTokens } = await prepare(url, accounts)
    const drawn = fc.sample(arbitrary, {
      seed: seed + start,
      numRuns: Math.min(REQUESTS_PER_SEED, count - start),
    })
    const waiting = [...drawn.entries()]
    const sendNext = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await tryOne(next[1], ready, csrfTokens, start + next[0])
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sendNext))
    progress(start + drawn.length)
  }
  agent.destroy()
  return { faults, statuses }
}

/** Fetches the CSRF token of each account, and the cookie of the anonymous one. */
async function prepare(url: string, accounts: Accounts) {
  const cookies = { ...accounts.cookies }
  const csrfTokens: Record<Role, string> = { anonymous: '', pending: '', viewer: '', admin: '' }
  for (const role of roles) {
    const reply = await fetch(`${url}/api/csrf-token`, { headers: { cookie: cookies[role] } })
    const { csrfToken }: { csrfToken: string } = await reply.json()
    csrfTokens[role] = csrfToken
    cookies[role] ||= reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  return { accounts: { ...accounts, cookies }, csrfTokens }
}

/** A server that rejects headers for their size closes the connection while they are still being sent. */
function asReply(error: unknown, { target, headers }: Sent): Received {
  const size = [target, ...Object.entries(headers).flat()].reduce((sum, text) => sum + text.length, 0)
  return { status: size > MAX_HEADERS ? 431 : 599, headers: {}, body: String(error) }
}

/** @returns the request, its reply and the log entries about it. */
function describeFailure(testApp: TestApp, sent: object, body: string): string {
  const [, requestId = 'none'] = /"requestId":"([^"]+)"/.exec(body) ?? []
  const entries = testApp.console.filter(line => line.includes(requestId))
  return [JSON.stringify(sent).slice(0, 2000), body.slice(0, 500), ...entries].join('\n')
}
