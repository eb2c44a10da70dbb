import assert from 'node:assert/strict'
import type { RequestListener, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { after, suite, test } from 'node:test'
import { listen } from '../../../tests/support/site.ts'
import { until } from '../../../tests/support/until.ts'
import { createHttpServer } from '../server.ts'
import { exemptFromWriteTimeout } from './slow-readers.ts'

const SHARE = 200
const ASKED = 'GET / HTTP/1.1\r\nHost: agency.test\r\n\r\n'

suite('Connections', () => {
  const clients: Socket[] = []
  after(() => {
    for (const client of clients) client.destroy()
  })

  async function serve(listener: RequestListener, { trustProxy = 0, max = 2000 } = {}) {
    const server = createHttpServer(listener, trustProxy)
    server.maxConnections = max
    const port = Number(new URL(await listen(server)).port)
    let opened = 0
    server.on('connection', () => opened++)
    /** Opens a connection, and sends a request on it unless `text` is empty; resolves when the server has it. */
    const open = async (localAddress: string, text = '') => {
      const before = opened
      const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      clients.push(client.resume())
      if (text) client.write(text)
      await until(() => opened > before || client.closed)
      return client
    }
    const ask = async (client: Socket) => {
      let text = ''
      const read = (chunk: Buffer) => {
        text += chunk
      }
      client.on('data', read).write(ASKED)
      await until(() => text.endsWith('ok') || client.closed)
      client.off('data', read)
      return text.endsWith('ok')
    }
    const countOpen = () =>
      new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))
    return { server, open, ask, countOpen }
  }

  const answer: RequestListener = (_request, response) => response.end('ok')

  test('who opens hundreds of connections from one address closes their own, and everybody else is served (found A3)', async () => {
    const { open, ask, countOpen } = await serve(answer)
    const visitor = await open('127.0.0.2')
    const own: Awaited<ReturnType<typeof open>>[] = []
    for (let count = 0; count < SHARE + 20; count++) own.push(await open('127.0.0.3'))
    await until(async () => (await countOpen()) === SHARE + 1)
    // A client hears of it later than the server.
    await until(() => own.filter(client => client.closed).length === 20)
    assert.equal(own.map(client => client.closed).lastIndexOf(true), 19, 'the oldest are closed')
    assert.ok(await ask(visitor))
    assert.ok(await ask(await open('127.0.0.2')))
    assert.ok(await ask(own.at(-1) ?? visitor))
  })

  test('while all connections of an address wait for an answer, it gets no other one (found A3)', async () => {
    const { open, countOpen } = await serve(() => {})
    for (let count = 0; count < SHARE; count++) await open('127.0.0.3', ASKED)
    const refused = await open('127.0.0.3', ASKED)
    await until(() => refused.closed)
    assert.equal(await countOpen(), SHARE)
  })

  test('an office whose screens all have an event stream opens pages as before (found A3)', async () => {
    let isStream = true
    const { open, ask, countOpen } = await serve((_request, response) => {
      if (!isStream) return response.end('ok')
      exemptFromWriteTimeout(response)
      return response.write('retry: 1\n\n')
    })
    for (let count = 0; count < SHARE + 20; count++) await open('127.0.0.3', ASKED)
    isStream = false
    const reader = await open('127.0.0.3')
    assert.ok(await ask(reader))
    for (let count = 0; count < 30; count++) await open('127.0.0.3')
    assert.ok(await ask(reader))
    assert.equal(await countOpen(), SHARE + 20 + 31)
  })

  test('behind a proxy, whose address all visitors seem to have, no address has a share (found A3)', async () => {
    const { open, countOpen } = await serve(answer, { trustProxy: 1 })
    for (let count = 0; count < SHARE + 20; count++) await open('127.0.0.3')
    assert.equal(await countOpen(), SHARE + 20)
  })

  test('a full server closes the connection that was idle for longest, and none that waits for an answer (found A3)', async () => {
    const { open, ask, countOpen } = await serve(
      (request, response) => (request.url === '/slow' ? undefined : response.end('ok')),
      { trustProxy: 1, max: 4 },
    )
    const slow = await open('127.0.0.2', ASKED.replace(' / ', ' /slow '))
    const first = await open('127.0.0.3')
    const second = await open('127.0.0.4')
    assert.ok(await ask(first))
    for (const address of ['127.0.0.5', '127.0.0.6']) assert.ok(await ask(await open(address)))
    assert.deepEqual([slow.closed, first.closed, second.closed], [false, true, true])
    assert.ok((await countOpen()) < 4, 'a place is free')
  })

  test('clients that send bodies slowly from one address leave room there for their neighbours (found A3)', async () => {
    const { open, ask, countOpen } = await serve((request, response) => {
      request.resume().on('end', () => response.end('ok'))
    })
    const slow: Socket[] = []
    for (let count = 0; count < SHARE; count++)
      slow.push(await open('127.0.0.3', 'POST / HTTP/1.1\r\nHost: agency.test\r\nContent-Length: 9\r\n\r\n'))
    await until(() => slow.every(client => client.bytesWritten > 0))
    assert.ok(await ask(await open('127.0.0.3')))
    assert.deepEqual(
      slow.flatMap((client, at) => (client.closed ? [at] : [])),
      [0],
    )
    assert.equal(await countOpen(), SHARE)
  })

  /** @returns the connection of a client at an IPv6 address */
  function arrive(server: Server, remoteAddress: string) {
    const socket = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), {
      remoteAddress,
      setTimeout: () => socket,
    })
    server.emit('connection', socket)
    return socket
  }

  test('the addresses of one IPv6 network have one share (found A3)', () => {
    const server = createHttpServer(answer)
    const own = Array.from({ length: SHARE + 1 }, (_, at) =>
      arrive(server, `2001:db8:0:1::${at.toString(16)}`),
    )
    const neighbour = arrive(server, '2001:db8:0:2::1')
    assert.deepEqual(
      own.map(socket => socket.destroyed),
      [true, ...Array(SHARE).fill(false)],
    )
    assert.equal(neighbour.destroyed, false)
  })

  test('a client with many networks of IPv6 holds four shares with a /56, five with a /48, and never all (found A3)', () => {
    const countOpen = (count: number, addressOf: (at: string) => string) => {
      const server = createHttpServer(answer)
      const own = Array.from({ length: count }, (_, at) => arrive(server, addressOf(at.toString(16))))
      return own.filter(socket => !socket.destroyed).length
    }
    assert.equal(
      countOpen(4 * SHARE + 50, at => `2001:db8:0:${(Number.parseInt(at, 16) % 256).toString(16)}::${at}`),
      4 * SHARE,
    )
    assert.equal(
      countOpen(1100, at => `2001:db8:0:${at}::1`),
      1000,
    )
  })
})
