import assert from 'node:assert/strict'
import { request } from 'node:http'
import { suite, test } from 'node:test'
import * as z from 'zod/mini'
import { openBrowser } from '../../tests/support/browser.ts'
import { listen } from '../../tests/support/site.ts'
import { createStaff } from '../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { createSession } from '../auth/session.ts'
import { serveSignIn } from '../features/sign-in/api.server.ts'
import { createApiRouter, serve } from './api-router.ts'
import { endpoint } from './endpoint.ts'
import { createListener } from './listener.ts'
import { describeApi } from './openapi/openapi.ts'
import { createHttpServer } from './server.ts'

const LIMIT = 1024 * 1024

suite('Request body', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const router = createApiRouter(services)
  const { app } = router

  const picture = endpoint({
    method: 'POST',
    path: '/api/albums/:album/pictures',
    access: 'settings',
    body: 'bytes',
    bodyLimit: LIMIT,
    input: z.object({ album: z.string(), bytes: z.instanceof(Uint8Array) }),
    reply: z.object({ album: z.string(), length: z.number(), last: z.optional(z.number()) }),
  })
  const vote = endpoint({
    method: 'POST',
    path: '/api/vote',
    access: 'public',
    csrf: 'origin',
    body: 'form',
    bodyLimit: 100,
    input: z.object({ choice: z.string('Please choose'), reason: z.optional(z.string()) }),
    reply: z.object({ choice: z.string(), reason: z.optional(z.string()) }),
  })
  serveSignIn(router)
  serve(router, picture, async ({ album, bytes }) => ({ album, length: bytes.length, last: bytes.at(-1) }))
  serve(router, vote, async given => given)

  const visitor = () => openBrowser(app, PUBLIC_URL, '203.0.113.77')
  const { id } = await createStaff(testApp, 'admin', '')
  const admin = visitor()
  admin.cookies.set('__Host-session', await createSession(services.db, services.clock, id, ''))
  const { csrfToken } = await (await admin.fetch('/api/csrf-token')).json()

  async function upload(length: number, headers: Record<string, string | null> = {}, browser = admin) {
    const body = new Uint8Array(length).fill(7)
    const own = { 'x-csrf-token': csrfToken, 'content-length': String(length), ...headers }
    return await browser.fetch('/api/albums/one/pictures', { method: 'POST', headers: own, body })
  }

  async function post(body: string, headers: Record<string, string | null> = {}) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return await visitor().fetch('/api/vote', { method: 'POST', headers: { ...type, ...headers }, body })
  }

  test('bytes reach the handler as they were sent, beside the parameters of the path, whatever their type', async () => {
    for (const type of ['image/png', 'application/json', null]) {
      const reply = await upload(100_000, { 'content-type': type })
      assert.deepEqual(
        await reply.json(),
        { success: true, album: 'one', length: 100_000, last: 7 },
        `${type}`,
      )
    }
  })

  test('a call with a limit of its own takes exactly as many bytes, whatever length they claim (X15)', async () => {
    const chunked = { 'content-length': null, 'transfer-encoding': 'chunked' }
    for (const headers of [{}, chunked]) {
      assert.equal((await upload(LIMIT, headers)).status, 200)
      assert.equal((await upload(LIMIT + 1, headers)).status, 413)
    }
    assert.equal((await upload(LIMIT + 1, { 'content-length': '10' })).status, 413)
    assert.equal((await post(`choice=${'x'.repeat(93)}`)).status, 200)
    assert.equal((await post(`choice=${'x'.repeat(94)}`)).status, 413)
  })

  test('a stranger is refused before the body is read, and a forged request as well (X15)', async () => {
    const site = { responses: new Map(), services, fetch: app.fetch.bind(app) }
    const url = await listen(createHttpServer(createListener(site)))
    const cookie = [...admin.cookies].map(pair => pair.join('=')).join('; ')
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer lf_made-up' }, 401],
      [{ cookie, origin: PUBLIC_URL }, 403],
    ] as const) {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
      // It announces a body and sends none.
      const asking = request(`${url}/api/albums/one/pictures`, {
        method: 'POST',
        headers: { 'content-length': LIMIT, ...headers },
      })
      asking
        .on('response', response => resolve(response.statusCode))
        .on('error', reject)
        .flushHeaders()
      assert.equal(await promise, status)
      asking.destroy()
    }
  })

  test('a form is read as fields, and what is left empty counts as not given', async () => {
    const reply = await post('choice=caf%C3%A9+au+lait&reason=')
    assert.deepEqual(await reply.json(), { success: true, choice: 'café au lait' })
    const wrong = await post('choice=&reason=because')
    assert.equal(wrong.status, 400)
    assert.deepEqual((await wrong.json()).errors, { choice: 'Please choose' })
  })

  test('a call that takes a form takes nothing else, and nothing from another site', async () => {
    for (const type of ['application/json', 'multipart/form-data', 'text/plain', null])
      assert.equal((await post('choice=x', { 'content-type': type })).status, 415, `${type}`)
    assert.equal((await post('choice=x', { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await post('choice=x', { 'content-encoding': 'gzip' })).status, 415)
  })

  test('the API reference describes a body of bytes as bytes', async () => {
    const { paths } = await describeApi([picture], PUBLIC_URL)
    const { requestBody } = paths['/api/albums/{album}/pictures']?.post ?? {}
    assert.deepEqual(requestBody, { required: true, content: { 'application/octet-stream': { schema: {} } } })
  })
})
