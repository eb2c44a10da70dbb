import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HOST, openRawRequests } from '../../tests/support/raw-requests.ts'
import { seconds } from '../platform/clock.ts'

suite('Requests that are malformed or slow', async () => {
  const { sendRaw } = await openRawRequests()

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

  test('the server waits for slow headers 12 s at most, for a slow body 20 s (X11)', async () => {
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
