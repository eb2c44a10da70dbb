import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type * as z from 'zod/mini'
import { signIn } from '../../src/features/sign-in/contract.ts'
import type { Access, Endpoint, Schema } from '../../src/http/endpoint.ts'

/** What a call is answered with: the reply of its contract, or an error. */
type Answer<Reply extends Schema> = z.input<Reply> | Refusal

/** An answer that the contract does not have, such as an error or the page of a broken proxy. */
export class Refusal {
  readonly status: number
  readonly body: string
  constructor(status: number, body: object | string = {}) {
    this.status = status
    this.body = typeof body === 'string' ? body : JSON.stringify({ success: false, ...body })
  }
}

interface Handler {
  readonly contract: Call
  readonly pattern: RegExp
  readonly answer: (request: Record<string, unknown>) => Promise<Refusal | { status: number; body: object }>
}

type Call = Pick<Endpoint, 'method' | 'path'>

/** The API of a story. What a test has not said an answer for is refused, and its browser complains. */
export interface FakeApi {
  /** Answers a call from now on. The last of several answers counts. */
  on<Allowed extends Access, Input extends Schema, Reply extends Schema>(
    contract: Endpoint<Allowed, Input, Reply>,
    answer: (input: z.output<Input>) => Answer<Reply> | Promise<Answer<Reply>>,
  ): void
  /** Refuses a call from now on, whatever it sends. */
  refuse(call: Call, refusal: Refusal): void
  /** The calls that have come in, such as `POST /api/users`, without those that ask who is signed in. */
  readonly calls: string[]
  /** What the calls that change something have sent, in the same form as their contracts. */
  readonly sent: unknown[]
  /** Answers every call from now on as to somebody who is not signed in, until it is reset. */
  signOut(): void
  /** Forgets all answers. */
  reset(): void
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function createFakeApi(): FakeApi {
  const handlers: Handler[] = []
  const calls: string[] = []
  const sent: unknown[] = []
  let hasEnded = false
  function add(contract: Call, answer: Handler['answer']) {
    const pattern = new RegExp(`^${contract.path.replace(/:\w+/g, part => `(?<${part.slice(1)}>[^/]+)`)}$`)
    handlers.unshift({ contract, pattern, answer })
  }
  const api: FakeApi = {
    calls,
    sent,
    signOut() {
      hasEnded = true
    },
    on(contract, answer) {
      add(contract, async request => {
        const said = await answer(contract.input.parse(request))
        if (said instanceof Refusal) return said
        return { status: contract.status ?? 200, body: Object(contract.reply.parse(said)) }
      })
    },
    refuse(call, refusal) {
      add(call, async () => refusal)
    },
    reset() {
      hasEnded = false
      for (const list of [handlers, calls, sent]) list.length = 0
      api.on(signIn.csrfToken, () => ({ csrfToken: 'token' }))
    },
    async answer(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
      if (!QUIET.includes(pathname)) calls.push(`${request.method} ${pathname}`)
      // A page that is left sends no more.
      const bytes = await buffer(request).catch(() => null)
      if (!bytes) return
      const isJson = request.headers['content-type'] === 'application/json'
      const body = isJson
        ? JSON.parse(bytes.toString())
        : bytes.length > 0
          ? { bytes: new Uint8Array(bytes) }
          : {}
      if (request.method !== 'GET') sent.push(body)
      if (hasEnded && !pathname.endsWith('/csrf-token')) return reply(response, 401, '{"success":false}')
      // A path without parameters, such as that of the counts, also looks like that of one message.
      const [handler] = handlers
        .filter(({ contract, pattern }) => contract.method === request.method && pattern.test(pathname))
        .sort((a, b) => a.contract.path.split(':').length - b.contract.path.split(':').length)
      const parts = handler?.pattern.exec(pathname)?.groups
      const said = await handler?.answer({ ...parts, ...Object.fromEntries(searchParams), ...Object(body) })
      if (said instanceof Refusal) return reply(response, said.status, said.body)
      if (said) return reply(response, said.status, JSON.stringify({ success: true, ...said.body }))
      reply(response, 501, JSON.stringify({ success: false, message: `No answer to ${pathname}` }))
    },
  }
  api.reset()
  return api
}

/** Calls that every screen makes. */
const QUIET = ['/api/csrf-token', '/api/auth/me', '/api/events', '/api/mail-status']

function reply(response: ServerResponse, status: number, body: string) {
  // A test that has ended waits for nobody.
  if (response.destroyed) return
  const type = body.startsWith('{') ? 'application/json' : 'text/html'
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
}

/** Something that waits until it is let go. */
export function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
