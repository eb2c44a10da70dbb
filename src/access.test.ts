import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../tests/support/test-app.ts'
import { newApiToken } from './auth/api-token.ts'
import { createSession, type Session, type SignedInUser } from './auth/session.ts'
import { hashToken } from './auth/token.ts'
import { hours, isoAfter, minutes } from './clock.ts'
import { newId } from './database/id.ts'
import { createPending } from './features/sign-in/store.server.ts'
import { serve } from './http/api-router.ts'
import { Empty } from './http/common-schemas.ts'
import type { Access, Endpoint, TokenAuth } from './http/endpoint.ts'
import { endpoint } from './http/endpoint.ts'
import { documentPathOf } from './http/openapi-paths.ts'

/** What comes of a caller before the call itself is looked at. */
type Outcome = 'let in' | '401' | '403' | '403 session_required'

type Callers = Record<
  string,
  {
    /** What its requests carry, created again for each cell: some calls end a session or use up a limit. */
    show(): Promise<{ cookie?: [name: string, value: string]; token?: string }>
    outcome(access: Access, bearer: TokenAuth): Outcome
  }
>

suite('Who may call what', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services

  /** Without a password: what matters here comes after it. */
  async function hire(role: SignedInUser['role']): Promise<string> {
    const id = newId(clock())
    const times = { created_at: isoAfter(clock), locked_until: null }
    const account = { email: `${id}@agency.test`, name: 'Robin', role, password_hash: '' }
    await db
      .insertInto('users')
      .values({ id, ...account, ...times, is_default: 0, email_verified: 1 })
      .execute()
    return id
  }

  async function signedIn(role: SignedInUser['role']) {
    return { cookie: ['session', await createSession(db, clock, await hire(role), '')] as [string, string] }
  }

  async function withToken(role: SignedInUser['role'], expiresIn = hours(1)) {
    const token = newApiToken('api')
    const times = { created_at: isoAfter(clock), expires_at: isoAfter(clock, expiresIn) }
    const ids = { id: newId(clock()), token_hash: hashToken(token), user_id: await hire(role) }
    await db
      .insertInto('api_tokens')
      .values({ ...ids, ...times, description: 'x', token_type: 'api' })
      .execute()
    return { token }
  }

  const bySession = (role: SignedInUser['role']) => ({
    show: async () => await signedIn(role),
    outcome: (access: Access): Outcome => {
      if (access === 'pending') return '401'
      return access === 'admin' && role !== 'admin' ? '403' : 'let in'
    },
  })
  const byToken = (role: SignedInUser['role']) => ({
    show: async () => await withToken(role),
    outcome: (access: Access, bearer: TokenAuth): Outcome => {
      if (access === 'pending' || bearer === 'denied') return '403 session_required'
      return access === 'admin' && role !== 'admin' ? '403' : 'let in'
    },
  })
  const likeNobody = (access: Access): Outcome => (access === 'public' ? 'let in' : '401')
  const refused = (): Outcome => '401'

  const callers: Callers = {
    nobody: { show: async () => ({}), outcome: likeNobody },
    'somebody before the code': {
      show: async () => ({ cookie: ['pending', await createPending(db, clock, await hire('admin'), 'x')] }),
      outcome: access => (access === 'pending' ? 'let in' : likeNobody(access)),
    },
    'a viewer': bySession('viewer'),
    'an editor': bySession('editor'),
    'an admin': bySession('admin'),
    'an admin whose session is over': {
      async show() {
        const shown = await signedIn('admin')
        await db
          .updateTable('sessions')
          .set({ last_seen_at: isoAfter(clock, -minutes(61)) })
          .where('token_hash', '=', hashToken(shown.cookie[1]))
          .execute()
        return shown
      },
      outcome: likeNobody,
    },
    'a program with a revoked token': { show: async () => ({ token: newApiToken('api') }), outcome: refused },
    'a program with an expired token': {
      show: async () => await withToken('admin', -1),
      outcome: refused,
    },
    "a program with a viewer's token": byToken('viewer'),
    "a program with an admin's token": byToken('admin'),
  }

  /** Sends a call as its caller would: with ids of nothing, and for the rest what its contract does not take. */
  async function send({ method, path }: Endpoint, { cookie, token }: Awaited<ReturnType<Show>>) {
    const browser = testApp.browser()
    if (cookie) browser.cookies.set(`__Host-${cookie[0]}`, cookie[1])
    const address = path.replace(/:\w+/g, () => newId(clock()))
    if (token) return await browser.fetch(address, { method, headers: { authorization: `Bearer ${token}` } })
    return method === 'GET' ? await browser.fetch(address) : await browser.send(method, address)
  }
  type Show = Callers[string]['show']

  for (const contract of testApp.served) {
    const { method, path, access, tokenAuth = 'allowed', input } = contract
    const ids = Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, newId(clock())]),
    )
    const isEnough = input.safeParse(ids).success

    test(`${method} ${path}: ${access}${tokenAuth === 'denied' ? ', in person' : ''}`, async () => {
      for (const [name, caller] of Object.entries(callers)) {
        const reply = await send(contract, await caller.show())
        const outcome = caller.outcome(access, tokenAuth)
        const { code } = reply.status === 204 ? { code: '' } : await reply.json()
        const seen = [reply.status, code].filter(Boolean).join(' ')
        if (outcome !== 'let in') assert.equal(seen, outcome, name)
        else if (isEnough) assert.ok(![401, 403, 500].includes(reply.status), `${name}: ${seen}`)
        else assert.equal(seen, '400', name)
      }
    })
  }

  /** What is not there, the count of requests, and figures for a machine, as text and with a token of their own. */
  const withoutContract = ['ALL /api/*', 'ALL /*', 'GET /metrics']

  test('is settled for every route: none is served without a contract', () => {
    const settled = new Set(
      testApp.served.flatMap(({ method, path }) => [`${method} ${path}`, `ALL ${path}`]),
    )
    const routes = testApp.app.routes.map(({ method, path }) => `${method} ${path}`)
    assert.ok(routes.length > testApp.served.length)
    assert.deepEqual(
      routes.filter(route => !settled.has(route) && !withoutContract.includes(route)),
      [],
    )
  })

  /** Sign-in and power: no call at these addresses takes a token, whichever will be added. */
  const inPersonOnly = [
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/users(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/people(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/admin\//,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/webhooks(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/auth\/(?!me$|verify-email$)/,
    /^(POST|PATCH|PUT|DELETE) \/api\/settings(\/|$)/,
  ]
  const isInPersonOnly = ({ method, path, access, changesIdentity }: Endpoint) =>
    changesIdentity === true ||
    (access !== 'pending' && inPersonOnly.some(pattern => pattern.test(`${method} ${path}`)))

  test('never lets a token do what concerns sign-in or power, in no call that there is or will be (H1)', () => {
    const inPerson = testApp.served.filter(isInPersonOnly)
    assert.ok(inPerson.length >= 17, `${inPerson.length}`)
    for (const { method, path, tokenAuth } of inPerson) assert.equal(tokenAuth, 'denied', `${method} ${path}`)
    const taken = testApp.served.filter(({ tokenAuth }) => tokenAuth !== 'denied')
    for (const { method, path } of taken) assert.match(`${method} ${path}`, OPEN_TO_TOKENS)
  })

  test('the API reference shows which calls reject tokens (H1)', async () => {
    const { paths } = await (await testApp.browser().fetch('/api/openapi.json')).json()
    for (const contract of testApp.served.filter(isInPersonOnly)) {
      const { method, path } = contract
      const call = paths[documentPathOf(contract, testApp.served).path][method.toLowerCase()]
      assert.match(call.description, /An API token is not accepted/, path)
      assert.ok(!call.security.some((way: object) => 'bearer' in way), path)
    }
  })

  test('is declared, or the product does not compile', () => {
    const call = { method: 'GET', path: '/api/probe', input: Empty, reply: Empty } as const
    // @ts-expect-error who may call is left out
    endpoint(call)
    // @ts-expect-error there is no such access
    endpoint({ ...call, access: 'everyone' })

    const router = { app: testApp.app, services: testApp.services, served: [] }
    const inPerson = endpoint({ ...call, access: 'signed-in', tokenAuth: 'denied' })
    const open = endpoint({ ...call, access: 'public' })
    const admins = endpoint({ ...call, access: 'admin' })
    const declare = () => {
      serve(router, inPerson, async (_input, { session, user }) => needs(session, user))
      serve(router, admins, async (_input, { user }) => needs(null, user))
      // @ts-expect-error a token has no session
      serve(router, admins, async (_input, { session, user }) => needs(session, user))
      // @ts-expect-error anyone may call this, so it may be nobody
      serve(router, open, async (_input, { user }) => needs(null, user))
    }
    assert.equal(typeof declare, 'function')
  })
})

/** Whatever else a token may do is written here as well, so that nobody opens a call to tokens by leaving a word out. */
const OPEN_TO_TOKENS =
  /^(\w+ \/api\/(messages|contact|visa-assessment|track-application|public)\b.*|\w+ \/api\/logs|GET \/api\/(csrf-token|auth\/(me|verify-email|pending)|dashboard|settings|openapi\.json)|GET \/(healthz|readyz))$/

const needs = (_session: Session | null, _user: SignedInUser) => ({})
