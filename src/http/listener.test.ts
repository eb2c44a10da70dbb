import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { changeDetails } from '../../tests/support/content.ts'
import { openSite } from '../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { seconds } from '../platform/clock.ts'

suite('Pages and files', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp)

  const paths = [
    '/',
    '/?utm_source=email',
    '/about-us',
    '/contact?form=visa-assessment&service=skilled&x=1',
    '/favicon.svg',
    '/auth',
    '/dashboard?tab=x',
  ]
  const wishes = [{}, ...['br, gzip', 'gzip', 'identity', ''].map(it => ({ 'accept-encoding': it }))]

  for (const path of paths) {
    test(`${path} is cached after the first request, byte for byte what Hono sends`, async () => {
      await ask(site.url, path)
      for (const method of ['GET', 'HEAD']) {
        for (const wish of wishes) {
          const slow = await ask(site.uncachedUrl, path, method, wish)
          assert.equal(slow.status, 200)
          const before = site.slowRequests
          assert.deepEqual(await ask(site.url, path, method, wish), slow)
          const known = { ...wish, 'if-none-match': `W/"other", ${slow.headers.etag}` }
          const unchanged = await ask(site.url, path, method, known)
          assert.equal(site.slowRequests, before)
          assert.equal(unchanged.status, 304)
          assert.deepEqual(unchanged, await ask(site.uncachedUrl, path, method, known))
        }
      }
    })
  }

  test('a request that has no cached response goes through Hono', async () => {
    await ask(site.url, '/contact')
    for (const [method, path, status] of [
      ['GET', '/no-such-page', 404],
      ['GET', '/About-us', 404],
      ['GET', '/contact/', 404],
      ['GET', '/about%2Dus', 200],
      ['GET', '/.vite/manifest.json', 404],
      ['GET', '/assets/../../server/main.js', 404],
      ['GET', '/api/auth/me', 401],
      ['GET', '/healthz', 200],
      ['POST', '/contact', 400],
      ['DELETE', '/', 405],
      ['OPTIONS', '/', 204],
      ['DELETE', '/no-such-page', 404],
    ] as const) {
      const before = site.slowRequests
      assert.equal((await ask(site.url, path, method)).status, status, `${method} ${path}`)
      assert.equal(site.slowRequests, before + 1, `${method} ${path}`)
    }
  })

  test('a reply has the same headers on a socket as without one', async () => {
    const volatile = ['x-request-id', 'content-length', 'transfer-encoding']
    const withoutVolatile = (headers: Iterable<[string, unknown]>) =>
      Object.fromEntries([...headers].filter(([name]) => !volatile.includes(name)))
    for (const path of [
      '/api/auth/me',
      '/api/no-such-call',
      '/no-such-page',
      '/.well-known/change-password',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(site.uncachedUrl, path, method)
        const reply = await site.fetch(new Request(`${PUBLIC_URL}${path}`, { method }))
        assert.equal(status, reply.status, path)
        assert.deepEqual(withoutVolatile(Object.entries(headers)), withoutVolatile(reply.headers), path)
        assert.match(
          String(headers['content-security-policy']),
          path.startsWith('/api') ? /^default-src 'none'/ : /./,
        )
      }
    }
  })

  test('a call sets its cookies on a socket as without one', async () => {
    const shapeOf = (cookies: unknown) => [cookies].flat().map(it => String(it).replace(/=[\w-]{43};/, '=…;'))
    const shape = '__Host-anonymous=…; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax'
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await ask(site.url, '/api/csrf-token', method)
      assert.deepEqual(shapeOf(headers['set-cookie']), [shape])
    }
    const { headers, body } = await ask(site.url, '/api/csrf-token')
    const reply = await site.fetch(new Request(`${PUBLIC_URL}/api/csrf-token`))
    assert.deepEqual(shapeOf(reply.headers.getSetCookie()), [shape])
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.notEqual(JSON.parse(body).csrfToken, (await reply.json()).csrfToken)
  })

  test('a page is not rendered for a client whose form breaks off', async () => {
    const body = new ReadableStream({ pull: stream => stream.error(new Error('aborted')) })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '4096' }
    const form = { method: 'POST', headers, body, duplex: 'half' }
    const reply = await site.fetch(new Request(`${PUBLIC_URL}/contact`, form))
    assert.equal(reply.status, 400)
    assert.match(reply.headers.get('content-type') ?? '', /json/)
  })

  test('pages show a changed phone number soon, without a restart', async () => {
    const phone = '+61 2 5550 1234'
    await ask(site.url, '/')
    await changeDetails(testApp, { contact_phone: phone })
    await until(async () => (await ask(site.url, '/')).body.includes(phone))
  })

  test('pages stay as they were while the settings cannot be read', async () => {
    const before = await ask(site.url, '/')
    const { schema } = testApp.services.db
    await schema.alterTable('settings').renameTo('settings_away').execute()
    await new Promise(resolve => setTimeout(resolve, seconds(1.5)))
    const meanwhile = await ask(site.url, '/')
    await schema.alterTable('settings_away').renameTo('settings').execute()
    assert.deepEqual(meanwhile, before)
  })
})

/** Sends as it is: `fetch` would tidy the path and add headers. The date and the connection's own headers are left out. */
async function ask(url: string, path: string, method = 'GET', headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(url)
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const request = send({ hostname, port, path, method, headers }, async response => {
        const { date, connection, 'keep-alive': _, ...own } = response.headers
        const body = (await buffer(response)).toString('latin1')
        resolve({ status: response.statusCode ?? 0, headers: own, body })
      })
      request.on('error', reject)
      request.end()
    },
  )
}
