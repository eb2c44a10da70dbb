import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { limitToFairShare } from './fair-share.ts'

const REQUESTS = 100

suite('Fair share', () => {
  test('a client who asks for much waits for one who asks for little, and gets every reply (N5)', async () => {
    const served: (string | undefined)[] = []
    const { ask, close } = await listen(async (request, response) => {
      served.push(request.url)
      await new Promise(setImmediate)
      response.end()
    })
    ask('/much', REQUESTS)
    while (served.length < REQUESTS / 5) await new Promise(setImmediate)
    ask('/little', 1)
    while (served.length <= REQUESTS) await new Promise(setImmediate)
    close()
    const position = served.indexOf('/little')
    assert.ok(position < REQUESTS / 2, `served at position ${position}`)
  })

  test('a client gets what is in memory without waiting, however much of it (N5)', async () => {
    const served: (string | undefined)[] = []
    const { ask, close } = await listen((request, response) => {
      served.push(request.url)
      response.end()
    })
    const start = performance.now()
    ask('/cached', REQUESTS)
    while (served.length < REQUESTS) await new Promise(setImmediate)
    const all = performance.now() - start
    close()
    // With a pause between two, it would take at least three milliseconds each.
    assert.ok(all < 2 * REQUESTS, `${all} ms`)
  })
})

/** A server for which a path is a client. `ask` sends requests on one connection, all at once. */
async function listen(listener: Parameters<typeof limitToFairShare>[0]) {
  const server = createServer(limitToFairShare(listener, ({ url }) => url ?? '')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const sockets: Socket[] = []
  return {
    ask(path: string, count: number) {
      const socket = connect(port, '127.0.0.1').resume()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: agency.test\r\n\r\n`.repeat(count))
      sockets.push(socket)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
