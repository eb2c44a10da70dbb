import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type Browser, openBrowser } from '../../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { serveApiTokens } from '../../features/api-tokens/api.server.ts'
import { apiTokens } from '../../features/api-tokens/contract.ts'
import { serveSignIn } from '../../features/sign-in/api.server.ts'
import { createApiRouter, serve } from '../api-router.ts'
import { endpoint } from '../endpoint.ts'

const Empty = z.object({})
/** Calls of one caller that run at the same time, and those that may wait for them. */
const [AT_ONCE, MAX_WAITING] = [6, 60]
/** Milliseconds after which a call is authorised again, with some to spare. */
const RELIABLE = 150

suite('Calls of one caller', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const router = createApiRouter(testApp.services)
  let held = Promise.withResolvers<void>()
  let begun = 0
  /** Calls that are let in, and run or wait from then on. */
  let letIn = 0
  serveSignIn(router)
  serveApiTokens(router)
  const quick = endpoint({
    method: 'GET',
    path: '/api/quick',
    access: 'signed-in',
    input: Empty,
    reply: Empty,
  })
  serve(router, quick, async () => ({}))
  const slow = { ...quick, path: '/api/slow' }
  // Read when a call has been authorised, just before it takes its place.
  Object.defineProperty(slow, 'event', { get: () => void letIn++ })
  serve(router, slow, async () => {
    begun++
    await held.promise
    return {}
  })
  const change = endpoint({ ...quick, method: 'POST', path: '/api/change' })
  let changes = 0
  serve(router, change, async () => {
    changes++
    return {}
  })
  const open = endpoint({ method: 'GET', path: '/api/open', access: 'public', input: Empty, reply: Empty })
  serve(router, open, async () => ({}))

  const tokenOf = (userId: string) =>
    ({ userId, description: 'A program', tokenType: 'api', expiresInDays: 30 }) as const
  let addresses = 0
  const openOther = () => openBrowser(router.app, PUBLIC_URL, `198.51.100.${++addresses}`)
  const cookieOf = ({ cookies }: Browser) => [...cookies].map(pair => pair.join('=')).join('; ')
  const call = async (headers: Record<string, string>, outgoing?: ServerResponse) =>
    await router.app.fetch(new Request(`${PUBLIC_URL}${slow.path}`, { headers }), {
      ...{ peer: '198.51.100.1', ...(outgoing && { outgoing }) },
    })
  const statuses = async (replies: readonly Promise<Response>[]) =>
    (await Promise.all(replies)).map(({ status }) => status)

  /** Until as many calls as may run at once do, the others wait. */
  async function fill(headers: Record<string, string>, count = AT_ONCE) {
    held = Promise.withResolvers()
    begun = 0
    letIn = 0
    const calls = Array.from({ length: count }, () => call(headers))
    await until(() => letIn === count && begun === AT_ONCE)
    return calls
  }

  test('only a few run at a time, nobody else waits, and those whose client has gone are not worked on', async () => {
    const { email } = await createStaff(testApp, 'viewer')
    const ana = await signInAs(testApp, email, openOther())
    const others = [
      await signInAs(testApp, email, openOther()),
      await signInAs(testApp, (await createStaff(testApp, 'viewer')).email, openOther()),
    ]
    const running = await fill({ cookie: cookieOf(ana) })
    const gone = new ServerResponse(new IncomingMessage(new Socket()))
    const waiting = [call({ cookie: cookieOf(ana) }, gone), call({ cookie: cookieOf(ana) })]
    gone.destroy()
    await until(() => letIn === AT_ONCE + 2)
    const quickOfAna = ana.fetch(quick.path)

    for (const other of others)
      for (const path of [quick.path, open.path]) assert.equal((await other.fetch(path)).status, 200)
    assert.equal((await ana.fetch(open.path)).status, 200, 'what anyone may call')
    assert.equal(begun, AT_ONCE)
    held.resolve()
    assert.deepEqual(await statuses([...running, ...waiting, quickOfAna]), [
      ...Array(AT_ONCE).fill(200),
      ...[503, 200, 200],
    ])
    assert.equal(begun, AT_ONCE + 1)
  })

  test('a call that waited is refused when its session or its token has ended by then', async () => {
    const { id, email } = await createStaff(testApp, 'admin')
    const ana = await signInAs(testApp, email, openOther())
    const { token } = (await ana.call(apiTokens.create, tokenOf(id))).token
    const endSessions = () => db.deleteFrom('sessions').where('user_id', '=', id).execute()
    const endTokens = () => db.deleteFrom('api_tokens').where('user_id', '=', id).execute()
    for (const [headers, end] of [
      [{ authorization: `Bearer ${token}` }, endTokens],
      [{ cookie: cookieOf(ana) }, endSessions],
    ] as const) {
      const running = await fill(headers)
      const waiting = call(headers)
      await until(() => letIn === AT_ONCE + 1)
      await end()
      await setTimeout(RELIABLE)
      held.resolve()
      assert.deepEqual(await statuses(running), Array(AT_ONCE).fill(200))
      assert.equal((await waiting).status, 401)
      assert.equal(begun, AT_ONCE)
    }
  })

  test('a call whose body arrives slowly is refused when its session or its token has ended by then', async () => {
    const { id, email } = await createStaff(testApp, 'admin')
    const ana = await signInAs(testApp, email, openOther())
    const { token } = (await ana.call(apiTokens.create, tokenOf(id))).token
    const csrf = (await ana.fetch('/api/csrf-token').then(async reply => await reply.json())) as {
      csrfToken: string
    }
    const post = async (headers: Record<string, string>, end: () => Promise<unknown>) => {
      const body = new ReadableStream({
        async pull(controller) {
          await end()
          await setTimeout(RELIABLE)
          controller.enqueue(Buffer.from('{}'))
          controller.close()
        },
      })
      const all = { 'content-type': 'application/json', ...headers }
      const request = new Request(`${PUBLIC_URL}${change.path}`, {
        ...{ method: 'POST', headers: all, body, duplex: 'half' },
      })
      return (await router.app.fetch(request, { peer: '198.51.100.1' })).status
    }
    const nothing = async () => {}
    const ofSession = { cookie: cookieOf(ana), origin: PUBLIC_URL, 'x-csrf-token': csrf.csrfToken }
    const ofToken = { authorization: `Bearer ${token}` }
    assert.deepEqual([await post(ofSession, nothing), await post(ofToken, nothing)], [200, 200])
    const endTokens = () => db.deleteFrom('api_tokens').where('user_id', '=', id).execute()
    const endSessions = () => db.deleteFrom('sessions').where('user_id', '=', id).execute()
    assert.deepEqual([await post(ofToken, endTokens), await post(ofSession, endSessions)], [401, 401])
    assert.equal(changes, 2)
  })

  test('somebody who has a token of another person, or several, does not keep them from their own calls', async () => {
    const { id, email } = await createStaff(testApp, 'admin')
    const ana = await signInAs(testApp, email, openOther())
    const create = async () => (await ana.call(apiTokens.create, tokenOf(id))).token
    const [one, other] = [await create(), await create()]
    const running = await fill({ authorization: `Bearer ${one.token}` })
    const waiting = call({ authorization: `Bearer ${other.token}` })
    await until(() => letIn === AT_ONCE + 1)
    assert.equal((await ana.fetch(quick.path)).status, 200)
    assert.equal(begun, AT_ONCE, 'the tokens of a person are one caller')
    held.resolve()
    await Promise.all([...running, waiting])
  })

  test('when many wait already, a call is refused at once', async () => {
    const ana = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email, openOther())
    const calls = await fill({ cookie: cookieOf(ana) }, AT_ONCE + MAX_WAITING + 3)
    held.resolve()
    const replies = await Promise.all(calls)
    const refused = replies.filter(({ status }) => status === 429)
    assert.deepEqual(
      refused.map(({ headers }) => headers.get('retry-after')),
      ['1', '1', '1'],
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, AT_ONCE + MAX_WAITING)
    assert.equal((await ana.fetch(quick.path)).status, 200)
  })
})
