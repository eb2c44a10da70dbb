import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { openSite } from '../../tests/support/site.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { seconds } from '../clock.ts'

suite('HTTP server', async () => {
  const testApp = await openTestApp()
  const { url } = await openSite(testApp)
  const port = Number(new URL(url).port)
  const HOST = 'Host: agency.test\r\n'

  interface Answer {
    readonly status: number
    readonly text: string
    /** Milliseconds until the server closed the connection; null while it is open. */
    readonly closedAfter: number | null
  }

  /** Writes bytes as they are, piece by piece, and reads until the connection closes or the timeout ends. */
  async function sendRaw(pieces: readonly string[], timeout = seconds(5), every = 0): Promise<Answer> {
    const start = performance.now()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let closedAfter: number | null = null
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    const closed = new Promise<void>(resolve => {
      socket.on('close', () => {
        closedAfter = performance.now() - start
        resolve()
      })
    })
    void writeSlowly()
    async function writeSlowly() {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece, 'latin1')
        if (every > 0) await sleep(every)
      }
    }
    await Promise.race([closed, sleep(timeout)])
    const answer = { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, closedAfter }
    socket.destroy()
    return answer
  }

  const ask = async (line: string, more = '') =>
    await sendRaw([`${line} HTTP/1.1\r\n${HOST}Connection: close\r\n${more}\r\n`])

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

  test('the server rejects a request whose end is ambiguous, and closes the connection (X7)', async () => {
    const smuggled = 'GET /api/auth/me HTTP/1.1\r\nHost: agency.test\r\n\r\n'
    for (const request of [
      `POST /api/contact HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `POST /api/contact HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 6\r\n\r\n${smuggled}`,
      `POST /api/contact HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `POST /api/contact HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `GET / HTTP/1.1\nHost: agency.test\n\n`,
      `GET / HTTP/1.1\r\nHost: agency.test\r\nX: a\n\r\n`,
    ]) {
      const { status, text, closedAfter } = await sendRaw([request])
      assert.equal(status, 400, request)
      assert.equal(text.split('HTTP/1.1').length, 2, 'one answer, and nothing for what was smuggled')
      assert.notEqual(closedAfter, null, 'closed')
    }
  })

  test('the server refuses two hosts, and chunks in a version without them, and closes the connection (B3)', async () => {
    const next = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`
    for (const request of [
      `GET / HTTP/1.1\r\n${HOST}Host: evil.test\r\n\r\n`,
      `GET / HTTP/1.1\r\n${HOST}hOST: agency.test\r\n\r\n`,
      `GET /api/auth/me HTTP/1.0\r\n${HOST}Host: evil.test\r\nConnection: keep-alive\r\n\r\n`,
      `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nHost: evil.test\r\n\r\n`,
      `POST /api/contact HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n`,
      `POST /api/contact HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ]) {
      const { status, text, closedAfter } = await sendRaw([request, next])
      assert.equal(status, 400, request)
      assert.equal(text.split('HTTP/1.1').length, 2, `one answer: ${request}`)
      assert.notEqual(closedAfter, null, 'closed')
    }
    const { status, text } = await sendRaw([`GET / HTTP/1.1\r\n${HOST}Host: evil.test\r\n\r\n`])
    assert.equal(status, 400)
    assert.match(text, /content-type: application\/json/i)
    assert.match(text, /"success":false,"message":"This request cannot be read"/)
    assert.equal((await sendRaw([`GET /healthz HTTP/1.0\r\n${HOST}\r\n`])).status, 200)
  })

  test('the server reads no body that is not UTF-8 (X8)', async () => {
    const body = '{"name":"\xff\xfe"}'
    const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const { status, text } = await sendRaw([`POST /api/contact HTTP/1.1\r\n${HOST}${headers}\r\n${body}`])
    assert.equal(status, 400)
    assert.match(text, /not a JSON object that can be read/)
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

  // Twenty seconds of waiting, and the database has no part in it: once will do.
  const skip = process.env.TEST_DATABASE_URL ? 'waited for on SQLite' : false
  test('the server waits for slow headers 12 s at most, for a slow body 20 s (X11)', { skip }, async () => {
    const begun = `POST /api/contact HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n`
    const drip = Array.from({ length: 100 }, () => 'X: a\r\n')
    const [headers, body, silent] = await Promise.all([
      sendRaw([`GET / HTTP/1.1\r\n${HOST}`, ...drip], seconds(22), 300),
      sendRaw([begun, ...drip], seconds(22), 300),
      sendRaw([], seconds(22)),
    ])
    for (const [{ closedAfter }, maximum] of [
      [headers, 12],
      [body, 20],
      [silent, 12],
    ] as const) {
      assert.ok(closedAfter !== null && closedAfter <= seconds(maximum), `${maximum}: ${closedAfter}`)
    }
    assert.deepEqual([headers.status, body.status], [408, 408])
    assert.ok((body.closedAfter ?? 0) > seconds(12), 'a slow line is not cut off too soon')
  })
})

const sleep = async (milliseconds: number) => await new Promise(resolve => setTimeout(resolve, milliseconds))
