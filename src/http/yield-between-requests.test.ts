import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { yieldBetweenRequests } from './server.ts'

/** Milliseconds. */
const EACH = 15
const REQUESTS = 20

suite('Requests that arrive together', () => {
  test('concurrent requests are served over several turns of the event loop, all of them, in the order they came (N4)', async () => {
    const served: (string | undefined)[] = []
    const turns = new Set<number>()
    let turn = 0
    let isOver = false
    const countTurns = () => {
      turn++
      if (!isOver) setImmediate(countTurns)
    }
    const server = createServer(
      yieldBetweenRequests((request, response) => {
        const end = performance.now() + EACH
        while (performance.now() < end);
        served.push(request.url)
        turns.add(turn)
        response.end()
      }),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    countTurns()
    const socket = connect(port, '127.0.0.1')
    const paths = Array.from({ length: REQUESTS }, (_, at) => `/${at}`)
    socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: agency.test\r\n\r\n`).join(''))
    while (served.length < REQUESTS) await new Promise(setImmediate)
    isOver = true
    socket.destroy()
    server.close()
    assert.deepEqual(served, paths)
    assert.ok(turns.size >= REQUESTS / 3, `${turns.size} turns`)
  })
})
