import { Agent } from 'node:http'
import fc from 'fast-check'
import { hashPassword } from '../../src/auth/password.ts'
import type { OpenApiDocument } from '../../src/http/openapi-document.ts'
import { STAFF_PASSWORD } from '../support/staff.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Accounts, seedAccounts } from './accounts.ts'
import { checkReply } from './check-reply.ts'
import { type FuzzRequest, type Role, requestsOf, roles } from './requests.ts'
import { type Received, type Sent, send, write } from './send.ts'

/** So many requests meet the same people; then there are new ones, for by then most are deleted or signed out. */
const TO_THE_SAME = 60
/** At once, so that requests also meet each other. */
const LANES = 8

/** Of the server, in bytes. */
const MAX_HEADERS = 16 * 1024

export interface Findings {
  /** What is wrong, with the first request that showed it and how many did. */
  readonly faults: ReadonlyMap<string, { readonly request: string; count: number }>
  /** Status → how many replies had it. */
  readonly statuses: ReadonlyMap<number, number>
}

/** Sends requests that are drawn from the reference at `url`, and judges each reply by it. @param progress is told how many were sent */
export async function run(
  testApp: TestApp,
  url: string,
  count: number,
  seed: number,
  progress: (sent: number) => void,
): Promise<Findings> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const reference = await fetch(`${url}/api/openapi.json`)
  const document: OpenApiDocument = await reference.json()
  const arbitrary = requestsOf(document)
  const passwordHash = await hashPassword(STAFF_PASSWORD)
  const faults = new Map<string, { request: string; count: number }>()
  const statuses = new Map<number, number>()

  async function tryOne(
    drawn: FuzzRequest,
    people: Accounts,
    csrfTokens: Record<Role, string>,
    turn: number,
  ) {
    const sent = write(drawn, people, csrfTokens[drawn.role], turn)
    const reply = await send(agent, url, sent).catch(error => asReply(error, sent))
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const fault = checkReply(document, drawn, sent, reply)
    if (!fault) return
    const name = `${drawn.operation.operationId}: ${fault.replace(/[0-9a-f-]{36}/g, '…')}`
    const known = faults.get(name)
    if (known) known.count++
    else faults.set(name, { request: tell(testApp, sent, reply.body), count: 1 })
  }

  for (let start = 0; start < count; start += TO_THE_SAME) {
    const people = await seedAccounts(testApp, passwordHash)
    const { people: ready, csrfTokens } = await prepare(url, people)
    const drawn = fc.sample(arbitrary, { seed: seed + start, numRuns: Math.min(TO_THE_SAME, count - start) })
    const waiting = [...drawn.entries()]
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await tryOne(next[1], ready, csrfTokens, start + next[0])
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    progress(start + drawn.length)
  }
  agent.destroy()
  return { faults, statuses }
}

/** Fetches the security tokens of everyone, and the cookie with which an anonymous one comes. */
async function prepare(url: string, people: Accounts) {
  const cookies = { ...people.cookies }
  const csrfTokens: Record<Role, string> = { anonymous: '', pending: '', viewer: '', admin: '' }
  for (const role of roles) {
    const reply = await fetch(`${url}/api/csrf-token`, { headers: { cookie: cookies[role] } })
    const { csrfToken }: { csrfToken: string } = await reply.json()
    csrfTokens[role] = csrfToken
    cookies[role] ||= reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  return { people: { ...people, cookies }, csrfTokens }
}

/** A server that refuses headers for their size closes while they are still on their way. */
function asReply(error: unknown, { target }: Sent): Received {
  return { status: target.length > MAX_HEADERS ? 431 : 599, headers: {}, body: String(error) }
}

/** The request, its reply, and what the log says of it. */
function tell(testApp: TestApp, sent: object, body: string): string {
  const [, requestId = 'none'] = /"requestId":"([^"]+)"/.exec(body) ?? []
  const lines = testApp.console.filter(line => line.includes(requestId))
  return [JSON.stringify(sent).slice(0, 2000), body.slice(0, 500), ...lines].join('\n')
}
