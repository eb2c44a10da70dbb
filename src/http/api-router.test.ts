import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as z from 'zod/mini'
import { openBrowser } from '../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { newId } from '../database/id.ts'
import { serveSignIn } from '../features/sign-in/api.server.ts'
import { minutes } from '../platform/clock.ts'
import { addFallbacks, createApiRouter, serve } from './api-router.ts'
import { type Access, endpoint } from './endpoint.ts'
import { throwHttpError } from './http-error.ts'

suite('API call', async () => {
  const testApp = await openTestApp({ trustProxy: 1 })
  const { clock } = testApp.services
  const router = createApiRouter(testApp.services)
  const [known, broken] = [newId(clock()), newId(clock())]

  const input = z.strictObject({ id: z.uuid(), note: z.string('Please write a note') })
  const reply = z.object({ seen: z.string(), from: z.string() })
  const probe = <Allowed extends Access>(path: string, access: Allowed) =>
    endpoint({ method: 'POST', path: `${path}/:id`, access, input, reply, status: 201 })
  const work = async ({ id, note }: { id: string; note: string }, { address }: { address: string }) => {
    if (id === broken) throw new Error('a bug with a secret in it')
    const seen = { seen: note, from: address, passwordHash: 'secret' }
    return id === known ? seen : throwHttpError(404, 'There is no such thing')
  }
  serveSignIn(router)
  serve(router, probe('/api/probe', 'users'), work, {
    perAddress: { name: 'probe', count: 9, per: minutes(1) },
  })
  serve(router, probe('/api/open', 'public'), work)
  const query = z.object({ q: z.optional(z.string()) })
  const looked = endpoint({ method: 'GET', path: '/api/open', access: 'public', input: query, reply: query })
  serve(router, looked, async ({ q }) => ({ q }))
  addFallbacks(router)

  let visitors = 0
  const browser = () => openBrowser(router.app, PUBLIC_URL, `198.51.100.${++visitors}`)
  const send = async (body: unknown, headers: Record<string, string | null> = {}, id = known) =>
    await browser().send('POST', `/api/open/${id}`, body, headers)

  test('a call is refused for the first of its faults, in one order', async () => {
    const { email: viewerEmail } = await createStaff(testApp, 'viewer')
    const { email: adminEmail } = await createStaff(testApp, 'admin')
    const [viewer, admin] = [
      await signInAs(testApp, viewerEmail, browser()),
      await signInAs(testApp, adminEmail, browser()),
    ]
    const nobody = browser()
    const large = 'x'.repeat(70_000)
    const unknown = newId(clock())
    const odd = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', 'x-csrf-token': null }
    const foreign = { 'sec-fetch-site': 'cross-site', 'x-csrf-token': null }
    const forged = { 'x-csrf-token': null }
    const path = `/api/probe/${unknown}`
    const tired = browser()
    for (let count = 0; count < 9; count++) await tired.send('POST', path, {})

    const faults: [Promise<Response>, number, RegExp][] = [
      [nobody.send('PUT', '/api/nothing', large, odd), 404, /no such call/],
      [nobody.send('PUT', path, large, odd), 405, /This address takes POST, OPTIONS/],
      [nobody.send('POST', path, large, odd), 413, /too large/],
      [tired.send('POST', path, {}, odd), 415, /must be application\/json in UTF-8/],
      [tired.send('POST', path, {}, foreign), 429, /Too many requests/],
      [nobody.send('POST', path, {}, foreign), 403, /did not come from https:\/\/agency\.test/],
      [nobody.send('POST', path, {}, forged), 401, /sign in/],
      [viewer.send('POST', path, {}, forged), 403, /security token/],
      [viewer.send('POST', path, {}), 403, /permission/],
      [admin.send('POST', path, {}), 400, /write a note/],
      [admin.send('POST', path, { note: 'x' }), 404, /no such thing/],
    ]
    for (const [reply, status, message] of faults) {
      const { status: seen, headers } = await reply
      const body = await (await reply).json()
      assert.equal(seen, status, String(message))
      assert.match(body.message, message)
      assert.equal(body.success, false)
      assert.equal(headers.get('x-request-id'), body.requestId)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
    assert.equal((await admin.send('POST', `/api/probe/${known}`, { note: 'x' })).status, 201)
  })

  test('a call replies with what its contract declares and nothing else', async () => {
    const reply = await send({ note: 'hello' })
    assert.equal(reply.status, 201)
    assert.deepEqual(Object.keys(await reply.json()), ['success', 'seen', 'from'])
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  })

  test('a call reports each wrong field and rejects unknown keys', async () => {
    const wrong = await (await send({ note: 5 })).json()
    assert.deepEqual(wrong.errors, { note: 'Please write a note' })
    for (const extra of [
      { more: 1 },
      { constructor: 1 },
      { toString: 1 },
      { id: known },
      JSON.parse('{"__proto__":1}'),
    ])
      assert.equal((await send({ note: 'x', ...extra })).status, 400, JSON.stringify(extra))
  })

  test('an unexpected error is logged in full and reveals nothing to the client', async () => {
    const reply = await send({ note: 'x' }, {}, broken)
    assert.equal(reply.status, 500)
    const { requestId, ...body } = await reply.json()
    assert.deepEqual(body, { success: false, message: 'Something went wrong on our side. Please try again.' })
    const logged = testApp.console.find(line => line.includes(requestId)) ?? ''
    assert.match(
      logged,
      /"level":"error".*"method":"POST".*a bug with a secret in it.*api-router\.test\.[jt]s/,
    )
  })

  test('a call takes its query from the URL, each name once', async () => {
    assert.deepEqual(await (await browser().fetch('/api/open?q=a%20b')).json(), { success: true, q: 'a b' })
    const twice = await browser().fetch('/api/open?q=a&q=b')
    assert.equal(twice.status, 400)
    assert.deepEqual((await twice.json()).errors, { q: 'Give this once' })
  })

  test('a call that only reads ignores its body, of whatever type or size', async () => {
    for (const type of ['text/plain', '', null]) {
      const headers = { 'content-type': type, 'content-length': '70000' }
      assert.equal((await browser().fetch('/api/open', { headers })).status, 200)
    }
  })

  test('a call by HEAD replies as to GET, without a body (X2)', async () => {
    for (const path of ['/api/open?q=a', '/api/auth/me', '/api/nothing', '/api/auth/login']) {
      const head = await browser().fetch(path, { method: 'HEAD' })
      const get = await browser().fetch(path)
      assert.equal(head.status, get.status, path)
      assert.equal(await head.text(), '')
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
    }
  })

  test('a call by OPTIONS lists the allowed methods, and permits no other site (X2)', async () => {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    for (const [path, allow] of [
      ['/api/open', 'GET, HEAD, OPTIONS'],
      [`/api/open/${known}`, 'POST, OPTIONS'],
    ] as const) {
      const reply = await browser().fetch(path, { method: 'OPTIONS', headers })
      assert.equal(reply.status, 204)
      assert.equal(reply.headers.get('allow'), allow)
      assert.ok([...reply.headers.keys()].every(name => !name.startsWith('access-control')))
    }
  })

  test('a call by an unsupported method is refused with the allowed methods (X2)', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await browser().fetch('/api/open', { method })
      assert.equal(reply.status, 405)
      assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  })

  test('a call takes JSON in UTF-8, uncompressed, and needs no type without a body (X8, X9, X10)', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
    ])
      assert.equal((await send({ note: 'x' }, { 'content-type': type })).status, 201, type)
    for (const type of ['application/json; charset=utf-7', 'text/json', 'application/json, text/plain', null])
      assert.equal((await send({ note: 'x' }, { 'content-type': type })).status, 415, String(type))
    assert.equal((await send({ note: 'x' }, { 'content-encoding': 'gzip' })).status, 415)
    const chunked = { 'content-length': null, 'transfer-encoding': 'chunked', 'content-type': 'text/plain' }
    assert.equal((await send({ note: 'x' }, chunked)).status, 415)
    assert.equal((await send(undefined)).status, 400)
    const visitor = browser()
    const { csrfToken } = await (await visitor.fetch('/api/csrf-token')).json()
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json', 'content-length': '12' }
    const body = Uint8Array.from([...Buffer.from('{"note":"'), 0xff, ...Buffer.from('"}')])
    assert.equal((await visitor.fetch(`/api/open/${known}`, { method: 'POST', headers, body })).status, 400)
  })

  test('a call has the client address that our own proxy saw (L8)', async () => {
    const from = async (forwarded: string) =>
      (await (await send({ note: 'x' }, { 'x-forwarded-for': forwarded })).json()).from
    assert.equal(await from('203.0.113.9'), '203.0.113.9')
    assert.equal(await from('10.0.0.1, 192.0.2.4, 203.0.113.9'), '203.0.113.9')
  })
})
