import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HOST, openRawRequests } from '../../tests/support/raw-requests.ts'

suite('HTTP server', async () => {
  const { sendRaw, ask } = await openRawRequests()

  test('the server rejects an invalid Host with JSON, and ignores an unknown Expect header', async () => {
    // The last one is as long as the name that its URL has: 0.0.0.7.
    for (const host of ['<script>', 'a b', 'agency.test/x', '[::', '7/x*p1c']) {
      const { status, text } = await sendRaw([
        `GET /api/auth/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ])
      assert.equal(status, 400, host)
      assert.match(text, /content-type: application\/json/i)
      assert.match(text, /"success":false,"message":"This address cannot be read"/)
    }
    for (const wish of ['a miracle', '200-ok'])
      assert.equal((await ask('GET /healthz', `Expect: ${wish}\r\n`)).status, 200)
  })

  test('a call or a page that does not exist gets 404 (X1)', async () => {
    const call = await ask('GET /api/x')
    assert.equal(call.status, 404)
    assert.match(call.text, /cache-control: no-store/i)
    assert.match(call.text, /"success":false,"message":"There is no such call"/)
    for (const line of ['GET /no-such-page', 'DELETE /no-such-page']) {
      const page = await ask(line)
      assert.equal(page.status, 404)
      assert.match(page.text, /404 Page Not Found.*Did you forget to add the page to the router\?/s)
    }
  })

  test('the server rejects other methods with the allowed ones, and is no proxy (X2)', async () => {
    for (const [line, status, allow] of [
      ['DELETE /', 405, 'GET, HEAD, OPTIONS'],
      ['TRACE /', 405, 'GET, HEAD, OPTIONS'],
      ['PUT /contact', 405, 'GET, POST, HEAD, OPTIONS'],
      ['OPTIONS /dashboard', 204, 'GET, HEAD, OPTIONS'],
      ['TRACE /api/auth/me', 405, 'GET, HEAD, OPTIONS'],
      ['OPTIONS /api/messages', 204, 'GET, HEAD, OPTIONS'],
      ['CONNECT evil.test:443', 405, 'GET, HEAD, POST'],
      ['CONNECT /api/auth/me', 405, 'GET, HEAD, POST'],
    ] as const) {
      const { status: seen, text } = await ask(line)
      assert.equal(seen, status, line)
      assert.equal(/^allow: (.*)\r$/im.exec(text)?.[1], allow, line)
      assert.doesNotMatch(text, /^access-control/im)
    }
  })

  test('the server redirects nobody to another site (X3)', async () => {
    const odd = [
      '//evil.com',
      '//evil.com/%2e%2e',
      '/\\evil.com',
      '/auth?next=https://evil.test',
      'http://evil.test/',
    ]
    for (const path of odd) {
      const { status, text } = await ask(`GET ${path}`)
      assert.ok(status < 300 || status >= 400, `${path}: ${status}`)
      assert.doesNotMatch(text, /^(location|refresh):/im, path)
    }
  })

  test('the server serves nothing above its folders (X4)', async () => {
    const climbing = [
      '/..%2f..%2fetc/passwd',
      '/assets/..%5c..%5cmain.js',
      '/%2e%2e/',
      '/assets/%2E%2E/server/main.js',
      '/../../etc/passwd',
      '/assets/../../package.json',
    ]
    for (const path of climbing) {
      const { status, text } = await ask(`GET ${path}`)
      assert.ok([400, 404].includes(status), `${path}: ${status}`)
      assert.doesNotMatch(text, /root:|"name": "landfall"/)
    }
  })

  test('the server refuses an address that cannot be decoded, page or call, but not a visitor’s query (X5)', async () => {
    for (const path of ['/%E0%A4%A', '/api/%E0%A4%A', '/api/messages/%ff/read', '/%', '/contact%zz']) {
      const { status, text } = await ask(`GET ${path}`)
      assert.equal(status, 400, path)
      assert.match(text, /"success":false,"message":"This address cannot be read"/)
    }
    assert.equal((await ask('GET /?utm_term=%E9t%E9&x=%')).status, 200)
    assert.equal((await ask('GET /about%2Dus')).status, 200)
  })

  test('the server refuses headers and addresses that are too long (X6)', async () => {
    assert.equal((await ask('GET /', `X-Long: ${'a'.repeat(17 * 1024)}\r\n`)).status, 431)
    assert.ok([414, 431].includes((await ask(`GET /${'a'.repeat(100 * 1024)}`)).status))
    assert.equal((await ask('GET /', `X-Long: ${'a'.repeat(14 * 1024)}\r\n`)).status, 200)
  })

  test('the server lets no other site read a response, whatever origin it names (X13)', async () => {
    const origins = [
      'null',
      'https://evil.test',
      'https://agency.test.evil.test',
      'https://evilagency.test',
      'https://agency.test@evil.test',
      'https://agency.test:444',
      'http://agency.test',
      'https://sub.agency.test',
      'https://agency.test%60.evil.test',
      'file://',
      'chrome-extension://abc',
      'https://AGENCY.test',
    ]
    for (const origin of origins)
      for (const line of ['GET /', 'GET /api/csrf-token', 'GET /api/openapi.json', 'OPTIONS /api/messages']) {
        const asked = `Origin: ${origin}\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n`
        assert.doesNotMatch(
          (await sendRaw([`${line} HTTP/1.1\r\n${HOST}Connection: close\r\n${asked}\r\n`])).text,
          /^access-control/im,
        )
      }
  })
})
