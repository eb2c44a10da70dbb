import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { after, suite, test } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { closeSlowReaders } from './limits/slow-readers.ts'
import { gracefulShutdown } from './listener.ts'

suite('Graceful shutdown', async () => {
  const held: ServerResponse[] = []
  const { listener, close } = gracefulShutdown((_request, response) => void held.push(response))
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  after(() => server.closeAllConnections())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

  test('a server that stops rejects new requests, finishes those in flight, and closes', async () => {
    const begun = fetch(`${url}/slow`)
    await until(() => held.length === 1)
    const closed = close(server, closeSlowReaders(server))
    const refused = await fetch(`${url}/readyz`)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await refused.json()).success, false)
    held[0]?.end('done')
    assert.equal(await (await begun).text(), 'done')
    await closed
    await assert.rejects(fetch(url))
  })
})
