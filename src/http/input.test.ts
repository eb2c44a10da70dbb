import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'

suite('Body of a call', async () => {
  const testApp = await openTestApp()

  test('a call whose client disconnects halfway is not logged as an error', async () => {
    for (const length of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '100' }]) {
      const body = new ReadableStream({
        pull: stream => stream.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      })
      const headers = { 'content-type': 'application/json', ...length }
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const reply = await testApp.app.fetch(new Request(`${PUBLIC_URL}/api/contact`, init), {
        peer: '192.0.2.1',
      })
      assert.equal(reply.status, 400)
      const { requestId } = await reply.json()
      assert.ok(testApp.console.every(line => !line.includes(requestId)))
    }
  })
})
