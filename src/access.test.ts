import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Callers, openCallers, staff } from '../tests/support/callers.ts'
import { openTestApp } from '../tests/support/test-app.ts'
import type { Permission } from './auth/permissions.ts'
import type { Session, SignedInUser } from './auth/session.ts'
import { newId } from './database/id.ts'
import { signIn } from './features/sign-in/contract.ts'
import { serve } from './http/api-router.ts'
import { Empty } from './http/common-schemas.ts'
import type { Endpoint } from './http/endpoint.ts'
import { endpoint } from './http/endpoint.ts'
import { documentPathOf } from './http/openapi/openapi.ts'

suite('Access to calls', async () => {
  const testApp = await openTestApp()
  const { clock } = testApp.services
  const { callers, send, signedIn, withToken } = openCallers(testApp)

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
        const { code } = isJson(reply) ? await reply.json() : { code: '' }
        if (!isJson(reply)) await reply.body?.cancel()
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
    [/^GET \/api\/(content|dashboard\/samples)/, 'content:read'],
    [/^\w+ \/api\/content/, 'content:edit'],
    [/^GET \/api\/messages\/export$/, 'inbox:manage'],
    [/^\w+ \/api\/messages\/(views|notices)/, 'inbox:read'],
    [/^GET \/api\/(messages|events|dashboard\/figures)/, 'inbox:read'],
    [/^\w+ \/api\/messages\/:id\/(presence|following)$/, 'inbox:read'],
    [/^DELETE \/api\/messages\/:id$/, 'inbox:manage'],
    [/^\w+ \/api\/messages\/:id\/erasure$/, 'inbox:manage'],
    [/^\w+ \/api\/messages/, 'inbox:answer'],
    [/^(GET \/api\/canned-replies|POST \/api\/canned-replies\/:id\/use)$/, 'inbox:answer'],
    [/^\w+ \/api\/canned-replies/, 'inbox:manage'],
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

  /** Sign-in, power and what nobody approves: no call at these addresses takes a token, whichever will be added. */
  const inPersonOnly = [
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/users(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/people(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/admin\//,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/webhooks(\/|$)/,
    /^(GET|POST|PATCH|PUT|DELETE) \/api\/auth\/(?!me$|verify-email$)/,
    /^(POST|PATCH|PUT|DELETE) \/api\/settings(\/|$)/,
    // What a person saves for themselves: an admin makes the tokens of others.
    /^\w+ \/api\/messages\/(views|notices|:id\/following)(\/|$)/,
    // What erases a person for good.
    /^\w+ \/api\/messages\/:id\/erasure$/,
    // For eyes only: what a stranger has formatted.
    /^GET \/api\/messages\/:id\/entries\/:entryId\/formatted$/,
    // Where visitors are led, at once and without a second person.
    /^(POST|PATCH|PUT|DELETE) \/api\/content\/redirects(\/|$)/,
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
  /^(\w+ \/api\/(messages|canned-replies|events|content|contact|visa-assessment|track-application|public)\b.*|\w+ \/api\/logs|GET \/api\/(csrf-token|auth\/(me|verify-email|pending)|dashboard(\/(figures|samples))?|settings|openapi\.json)|GET \/(healthz|readyz))$/

const isJson = ({ headers }: Response) => headers.get('content-type')?.includes('json') ?? false

const needs = (_session: Session | null, _user: SignedInUser) => ({})
