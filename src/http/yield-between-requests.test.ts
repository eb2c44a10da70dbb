import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { yieldBetweenRequests } from './yield-between-requests.ts'

/** Milliseconds. */
const EACH = 15
const REQUESTS = 20

suite('Fairness between requests', () => {
  test('concurrent requests are served over several turns of the event loop, all of them, in the order they came (N4)', async () => {
    const served: (string | undefined)[] = []
    const turns = new Set<number>()
    let turn = 0
    let isOver = false
    const countTurns = () => {
      turn++
      if (!isOver) setImmediate(countTurns)
    }
    const { ask, close } = await listen((request, response) => {
      const end = performance.now() + EACH
      while (performance.now() < end);
      served.push(request.url)
      turns.add(turn)
      response.end()
    })
    countTurns()
    const paths = Array.from({ length: REQUESTS }, (_, at) => `/${at}`)
    ask(paths)
    while (served.length < REQUESTS) await new Promise(setImmediate)
    isOver = true
    close()
    assert.deepEqual(served, paths)
    assert.ok(turns.size >= REQUESTS / 3, `${turns.size} turns`)
  })

  test('a client who asks for much waits for one who asks for little, and none waits for ever (N5)', async () => {
    const served: (string | undefined)[] = []
    const { ask, close } = await listen(async (request, response) => {
      served.push(request.url)
      await new Promise(setImmediate)
      response.end()
    })
    const ofMany = Array.from({ length: 100 }, () => '/many')
    ask(ofMany)
    while (served.length < 40) await new Promise(setImmediate)
    ask(['/one'])
    while (served.length < 101) await new Promise(setImmediate)
    close()
    const position = served.indexOf('/one')
    assert.ok(position < 60, `served at position ${position}`)
  })
})

/** A server for which a path is a client. `ask` sends requests on one connection, all at once. */
async function listen(listener: RequestListener) {
  const server = createServer(yieldBetweenRequests(listener, ({ url }) => url ?? '')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const sockets: ReturnType<typeof connect>[] = []
  return {
    ask(paths: readonly string[]) {
      const socket = connect(port, '127.0.0.1').resume()
      socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: agency.test\r\n\r\n`).join(''))
      sockets.push(socket)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
