import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp } from '../tests/support/test-app.ts'
import { newApiToken } from './auth/api-token.ts'
import type { InboxGrant, Permission } from './auth/permissions.ts'
import { createSession, type Session, type SignedInUser } from './auth/session.ts'
import { hashToken } from './auth/token.ts'
import { hours, isoAfter, minutes } from './clock.ts'
import { newId } from './database/id.ts'
import { signIn } from './features/sign-in/contract.ts'
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

/** The table of permissions, written here again so that a slip in the other one shows. */
const all: readonly Permission[] = [
  ...(['content:read', 'content:edit', 'inbox:read', 'inbox:answer', 'inbox:manage'] as const),
  ...(['users', 'settings', 'tokens', 'webhooks', 'logs'] as const),
]
const staff: readonly {
  name: string
  role: SignedInUser['role']
  inbox: InboxGrant
  may: readonly Permission[]
}[] = [
  { name: 'a viewer', role: 'viewer', inbox: 'none', may: ['content:read'] },
  { name: 'a viewer who may read', role: 'viewer', inbox: 'read', may: ['content:read', 'inbox:read'] },
  // The API refuses this grant, so such a row was written by something else.
  { name: 'a viewer with a wrong row', role: 'viewer', inbox: 'answer', may: ['content:read', 'inbox:read'] },
  { name: 'an editor', role: 'editor', inbox: 'none', may: ['content:read', 'content:edit'] },
  {
    ...{ name: 'an editor who may read', role: 'editor', inbox: 'read' },
    may: ['content:read', 'content:edit', 'inbox:read'],
  },
  {
    ...{ name: 'an editor who may answer', role: 'editor', inbox: 'answer' },
    may: ['content:read', 'content:edit', 'inbox:read', 'inbox:answer'],
  },
  { name: 'an admin', role: 'admin', inbox: 'none', may: all },
]
type Staff = (typeof staff)[number]

suite('Access to calls', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services

  /** Without a password: what matters here comes after it. */
  async function hire({ role, inbox }: Pick<Staff, 'role' | 'inbox'>): Promise<string> {
    const id = newId(clock())
    const times = { created_at: isoAfter(clock), locked_until: null }
    const account = { email: `${id}@agency.test`, name: 'Robin', role, inbox, password_hash: '' }
    await db
      .insertInto('users')
      .values({ id, ...account, ...times, is_default: 0, email_verified: 1 })
      .execute()
    return id
  }

  const admin = { role: 'admin', inbox: 'none' } as const

  async function signedIn(who: Pick<Staff, 'role' | 'inbox'>) {
    return { cookie: ['session', await createSession(db, clock, await hire(who), '')] as [string, string] }
  }

  async function withToken(who: Pick<Staff, 'role' | 'inbox'>, expiresIn = hours(1)) {
    const token = newApiToken('api')
    const times = { created_at: isoAfter(clock), expires_at: isoAfter(clock, expiresIn) }
    const ids = { id: newId(clock()), token_hash: hashToken(token), user_id: await hire(who) }
    await db
      .insertInto('api_tokens')
      .values({ ...ids, ...times, description: 'x', token_type: 'api' })
      .execute()
    return { token }
  }

  const outcomeFor = ({ may }: Staff, access: Access): Outcome =>
    ['public', 'signed-in', ...may].includes(access) ? 'let in' : '403'
  const bySession = (who: Staff) => ({
    show: async () => await signedIn(who),
    outcome: (access: Access) => (access === 'pending' ? '401' : outcomeFor(who, access)),
  })
  const byToken = (who: Staff) => ({
    show: async () => await withToken(who),
    outcome: (access: Access, bearer: TokenAuth) =>
      access === 'pending' || bearer === 'denied' ? '403 session_required' : outcomeFor(who, access),
  })
  const likeNobody = (access: Access): Outcome => (access === 'public' ? 'let in' : '401')
  const refused = (): Outcome => '401'

  const callers: Callers = {
    nobody: { show: async () => ({}), outcome: likeNobody },
    'somebody before the code': {
      show: async () => ({ cookie: ['pending', await createPending(db, clock, await hire(admin), 'x')] }),
      outcome: access => (access === 'pending' ? 'let in' : likeNobody(access)),
    },
    ...Object.fromEntries(staff.map(who => [who.name, bySession(who)])),
    ...Object.fromEntries(staff.map(who => [`a program with the token of ${who.name}`, byToken(who)])),
    'an admin whose session is over': {
      async show() {
        const shown = await signedIn(admin)
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
      show: async () => await withToken(admin, -1),
      outcome: refused,
    },
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

    test(`${method} ${path} has the access ${access}${tokenAuth === 'denied' ? ', in person' : ''}`, async () => {
      const check = async ([name, caller]: [string, Callers[string]]) => {
        const reply = await send(contract, await caller.show())
        const outcome = caller.outcome(access, tokenAuth)
        const { code } = reply.status === 204 ? { code: '' } : await reply.json()
        const seen = [reply.status, code].filter(Boolean).join(' ')
        if (outcome !== 'let in') assert.equal(seen, outcome, name)
        else if (isEnough) assert.ok(![401, 403, 500].includes(reply.status), `${name}: ${seen}`)
        else assert.equal(seen, '400', name)
      }
      // One after the other: calls such as an upload have few places, and no call may change who gets the next.
      for (const caller of Object.entries(callers)) await check(caller)
    })
  }

  /** Which permission is needed at which address, for all that is there or will be. */
  const permissionAt: readonly (readonly [RegExp, Permission])[] = [
    [/^GET \/api\/content/, 'content:read'],
    [/^\w+ \/api\/content/, 'content:edit'],
    [/^GET \/api\/(messages|dashboard\/figures)/, 'inbox:read'],
    [/^DELETE \/api\/messages\/:id$/, 'inbox:manage'],
    [/^\w+ \/api\/messages/, 'inbox:answer'],
    [/^\w+ \/api\/users/, 'users'],
    [/^\w+ \/api\/settings/, 'settings'],
    [/^\w+ \/api\/admin\/tokens/, 'tokens'],
    [/^\w+ \/api\/logs/, 'logs'],
  ]

  test('each call needs the permission that is meant for its address (G9)', () => {
    const calls = testApp.served.map(({ method, path, access }) => [`${method} ${path}`, access] as const)
    for (const [call, access] of calls) {
      const [, permission] = permissionAt.find(([pattern]) => pattern.test(call)) ?? []
      if (permission) assert.equal(access, permission, call)
      else assert.ok(['public', 'pending', 'signed-in'].includes(access), call)
    }
    assert.equal(calls.filter(([, access]) => access.startsWith('inbox:')).length, 15)
  })

  test('each role reads its own permissions', async () => {
    for (const who of staff)
      for (const shown of [await signedIn(who), await withToken(who)]) {
        const { user, permissions } = await (await send(signIn.me, shown)).json()
        assert.deepEqual(permissions, who.may, who.name)
        assert.deepEqual(Object.keys(user), ['id', 'email', 'name', 'role'])
      }
  })

  /** What is not there, the count of requests, and figures for a machine, as text and with a token of their own. */
  const withoutContract = ['ALL /api/*', 'ALL /*', 'GET /metrics']

  test('access is settled for every route: none is served without a contract', () => {
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

  test('a token never permits a call that concerns sign-in or permissions, now or later (H1)', () => {
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

  test('an endpoint with a missing or wrong access rule does not compile', () => {
    const call = { method: 'GET', path: '/api/probe', input: Empty, reply: Empty } as const
    // @ts-expect-error who may call is left out
    endpoint(call)
    // @ts-expect-error there is no such access
    endpoint({ ...call, access: 'everyone' })

    const router = { app: testApp.app, services: testApp.services, served: [] }
    const inPerson = endpoint({ ...call, access: 'signed-in', tokenAuth: 'denied' })
    const open = endpoint({ ...call, access: 'public' })
    const admins = endpoint({ ...call, access: 'users' })
    // @ts-expect-error a role is no permission
    endpoint({ ...call, access: 'admin' })
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
  /^(\w+ \/api\/(messages|content|contact|visa-assessment|track-application|public)\b.*|\w+ \/api\/logs|GET \/api\/(csrf-token|auth\/(me|verify-email|pending)|dashboard(\/figures)?|settings|openapi\.json)|GET \/(healthz|readyz))$/

const needs = (_session: Session | null, _user: SignedInUser) => ({})
