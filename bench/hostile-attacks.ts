import { randomBytes, randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { mailboxAttacks } from './hostile-mailbox.ts'
import { type Attack, SHORT_WORDS, type Victim } from './hostile-target.ts'

/** Requests with proxy headers that name a different client each. */
const FORGED = 40_000
const SLOW_READERS = 200
/** The most requests that one connection may pipeline without being disconnected. */
const PIPELINED = 32

export const attacks: readonly Attack[] = [
  { name: '40,000 forged proxy headers of 15 KB', begin: forgeHeaders },
  { name: '200 readers of 32 pages who read none', begin: readNothing },
  { name: 'uncached answers on 32 connections', begin: askForUncached },
  { name: 'the worst search, on 4 connections', needsTexts: true, begin: search },
  ...mailboxAttacks,
]

/** Sends requests on this many connections until `end` is called. @param maximum requests in total */
function keepAsking(
  connections: number,
  ask: (agent: Agent, at: number) => Promise<unknown>,
  maximum = Number.POSITIVE_INFINITY,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isOver = false
  let asked = 0
  const all = Array.from({ length: connections }, async (_, at) => {
    while (!isOver && asked++ < maximum) await ask(agent, at).catch(() => {})
  })
  return {
    isDone: async () => void (await Promise.all(all)),
    async end() {
      isOver = true
      await Promise.all(all)
      agent.destroy()
    },
  }
}

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: string
}

function send(agent: Agent, url: string, { path, method = 'GET', headers, body }: Asked): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { agent, method, headers }, response => {
      response.resume().on('end', resolve).on('error', reject)
    })
    asking.on('error', reject).end(body)
  })
}

/** A quarter of a million requests would be another attack: it ends when all were sent. */
async function forgeHeaders({ url }: Victim) {
  const forged = () => randomBytes(7500).toString('hex')
  const asking = keepAsking(
    16,
    async agent =>
      await send(agent, url, {
        path: '/api/contact',
        method: 'POST',
        headers: { 'x-forwarded-for': forged(), 'content-type': 'application/json' },
        body: '{}',
      }),
    FORGED,
  )
  return {
    async end() {
      await asking.isDone()
      await asking.end()
    },
  }
}

async function readNothing({ url }: Victim) {
  const { hostname, port } = new URL(url)
  const asked = 'GET / HTTP/1.1\r\nHost: agency.test\r\n\r\n'.repeat(PIPELINED)
  const large = 'GET /api/openapi.json HTTP/1.1\r\nHost: agency.test\r\n\r\n'.repeat(PIPELINED)
  const sockets = Array.from({ length: SLOW_READERS }, (_, at) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(at % 2 ? asked : large)
    return socket.pause()
  })
  return {
    async end() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Each connection is another client, and requests every uncached response. */
async function askForUncached({ url }: Victim) {
  const kinds: ((headers: Record<string, string>) => Asked)[] = [
    headers => ({ path: '/contact/received?reference=LF-7K3M-92QD', headers }),
    headers => ({ path: `/no-such-page-${randomInt(1e9)}`, headers }),
    headers => ({ path: '/api/openapi.json', headers }),
    headers => ({ path: '/contact', method: 'POST', headers, body: 'x' }),
    headers => ({
      path: '/contact',
      method: 'POST',
      headers: { ...headers, ...form },
      body: 'name=&email=x',
    }),
    headers => ({
      path: '/contact',
      method: 'POST',
      headers: { ...headers, ...form, origin: 'https://evil.test' },
      body: 'name=x',
    }),
  ]
  return keepAsking(32, async (agent, at) => {
    const headers = { 'x-forwarded-for': `10.0.0.${at}`, 'accept-encoding': 'br' }
    await send(agent, url, kinds[randomInt(kinds.length)]?.(headers) ?? { path: '/', headers })
  })
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function search({ url, cookie }: Victim) {
  const queries = [`visitor ${SHORT_WORDS.join(' ')} zx`, `${'a'.repeat(100)}b`, `${'😀é'.repeat(40)}é`]
  return keepAsking(4, async (agent, at) => {
    const q = encodeURIComponent(queries[at % queries.length] ?? '')
    await send(agent, url, { path: `/api/messages?q=${q}`, headers: { cookie } })
  })
}
