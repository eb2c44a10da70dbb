import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { limitToFairShare } from '../server.ts'

const REQUESTS = 100

suite('Fair share', () => {
  test('a client who asks for much waits for one who asks for little, and gets every reply (N5)', async () => {
    const { served, ask, close } = await listen(respondLater)
    ask('/other', 1)
    ask('/much', REQUESTS)
    while (served.length < REQUESTS / 5) await new Promise(setImmediate)
    ask('/little', 1)
    while (served.length < REQUESTS + 2) await new Promise(setImmediate)
    close()
    const position = served.indexOf('/little')
    assert.ok(position < REQUESTS / 2, `served at position ${position}`)
  })

  test('a client gets what is in memory without waiting, however much of it (N5)', async context => {
    const { served, ask, close } = await listen((request, response) => {
      if (request.url === '/cached') response.end()
      else respondLater(request, response)
    })
    ask('/one', 1)
    ask('/other', 1)
    while (served.length < 2) await new Promise(setImmediate)
    assert.equal(await countPauses(context, '/cached', { served, ask }), 0)
    close()
  })

  test('a client who is alone waits for nobody (N5)', async context => {
    const { served, ask, close } = await listen(respondLater)
    assert.equal(await countPauses(context, '/much', { served, ask }), 0)
    ask('/other', 1)
    assert.ok((await countPauses(context, '/much', { served, ask })) > 0)
    close()
  })

  test('a request waits no longer than its connection is open (N5)', async () => {
    const { served, ask, close } = await listen(respondLater)
    ask('/other', 1)
    ask('/much', 20)
    while (served.length < 15) await new Promise(setImmediate)
    const gone = Array.from({ length: REQUESTS }, () => ask('/much?gone', 1))
    await Promise.all(gone.map(socket => once(socket, 'connect')))
    for (const socket of gone) socket.destroy()
    ask('/much?last', 1)
    while (!served.includes('/much?last')) await new Promise(setImmediate)
    close()
    const late = served.filter(url => url === '/much?gone').length
    assert.ok(late < REQUESTS / 2, `${late} of closed connections`)
  })
})

async function respondLater(...[, response]: Parameters<RequestListener>) {
  await new Promise(setImmediate)
  response.end()
}

/** @returns how often the server pauses until all requests of a client are served */
async function countPauses(
  { mock }: TestContext,
  path: string,
  { served, ask }: Pick<Awaited<ReturnType<typeof listen>>, 'served' | 'ask'>,
) {
  const { mock: pauses } = mock.method(globalThis, 'setTimeout')
  const before = served.length
  ask(path, REQUESTS)
  while (served.length < before + REQUESTS) await new Promise(setImmediate)
  pauses.restore()
  return pauses.callCount()
}

/** A server for which a path is a client. `ask` sends requests on one connection, all at once. */
async function listen(listener: RequestListener) {
  const served: (string | undefined)[] = []
  const recorded: RequestListener = (request, response) => {
    served.push(request.url)
    listener(request, response)
  }
  const clientOf = ({ url = '' }) => url.replace(/\?.*/, '')
  const server = createServer(limitToFairShare(recorded, clientOf)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const sockets: Socket[] = []
  return {
    served,
    ask(path: string, count: number) {
      const socket = connect(port, '127.0.0.1').resume()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: agency.test\r\n\r\n`.repeat(count))
      sockets.push(socket)
      return socket
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
