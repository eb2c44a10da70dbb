import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { stopwatch } from '../../../tests/support/processor-time.ts'
import { listen } from '../../../tests/support/site.ts'
import { until } from '../../../tests/support/until.ts'
import { gracefulShutdown } from '../listener.ts'
import { createHttpServer } from '../server.ts'
import { closeSlowReaders, exemptFromWriteTimeout } from './slow-readers.ts'

/** More than both ends of a connection on loopback hold for a reader. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x')
/** Milliseconds; the product's are 30 and 2 seconds. */
const TIMEOUTS = { running: 800, stopping: 200 }

function requests(count: number): string {
  return Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: agency.test\r\n\r\n`).join('')
}

suite('Slow clients', () => {
  const begun: string[] = []
  const clients: Socket[] = []
  after(() => {
    for (const client of clients) client.destroy()
  })

  async function serve(listener: RequestListener, timeouts = TIMEOUTS) {
    const server = createHttpServer((request, response) => {
      begun.push(request.url ?? '')
      listener(request, response)
    })
    const readers = closeSlowReaders(server, timeouts)
    return { port: Number(new URL(await listen(server)).port), server, readers }
  }

  /** @returns a client that has asked and reads nothing until it is resumed. */
  function ask(port: number, text: string) {
    const client = connect(port, '127.0.0.1').pause()
    clients.push(client)
    client.on('error', () => {})
    client.write(text)
    return client
  }

  async function countOpen(server: {
    getConnections(callback: (error: unknown, count: number) => void): void
  }) {
    return await new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))
  }

  test('a client that reads nothing for the time-out is disconnected, whatever it sends meanwhile (N4)', async () => {
    const { port, server } = await serve((_request, response) => response.end(LARGE))
    const silent = ask(port, requests(1))
    const talking = ask(port, requests(1))
    await until(async () => (await countOpen(server)) === 2)
    const watch = stopwatch()
    const talk = setInterval(() => talking.write('G'), 50)
    await until(async () => (await countOpen(server)) === 0)
    clearInterval(talk)
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.ok(took > TIMEOUTS.running / 2 && tookAtRest < TIMEOUTS.running * 4, `${took} ms`)
    silent.destroy()
  })

  test('a client that reads slowly but goes on reading gets everything, for longer than the time-out (N4)', async () => {
    const { port } = await serve((_request, response) => response.end(LARGE))
    const client = ask(port, requests(1).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    let received = 0
    const watch = stopwatch()
    client.on('data', chunk => {
      received += chunk.length
    })
    client.pause()
    client.on('data', () => client.pause())
    const sips = setInterval(() => client.resume(), 5)
    await new Promise(resolve => client.once('close', resolve))
    clearInterval(sips)
    assert.ok(received > LARGE.length, `${received} bytes`)
    assert.ok(watch.passed() > TIMEOUTS.running)
  })

  test('the time-out does not apply to a stream of events, which may wait for its reader as long as it likes (N4)', async () => {
    const streams: ServerResponse[] = []
    const { port, server } = await serve((_request, response) => {
      exemptFromWriteTimeout(response)
      response.write(LARGE)
      streams.push(response)
    })
    ask(port, requests(1))
    await until(() => streams.length === 1)
    await sleep(3 * TIMEOUTS.running)
    assert.equal(await countOpen(server), 1)
  })

  test('a client that does not read has one response made for it at a time, however many it requests (N4)', async () => {
    const { port, server } = await serve((_request, response) => response.end(LARGE))
    begun.length = 0
    for (let count = 0; count < 40; count++) ask(port, requests(20))
    await until(() => begun.length >= 40)
    await until(async () => (await countOpen(server)) === 0)
    assert.deepEqual(begun, Array(40).fill('/0'))
    for (let count = 0; count < 40; count++) ask(port, requests(400))
    await until(() => begun.length === 80)
    const watch = stopwatch()
    await until(async () => (await countOpen(server)) === 0)
    assert.ok(watch.passedAtRest() < TIMEOUTS.running / 2, 'cut off at once')
  })

  test('a client that reads late gets all its responses in order (N4)', async () => {
    const { port } = await serve((request, response) => setTimeout(() => response.end(`<${request.url}>`), 1))
    const client = ask(port, requests(30))
    let text = ''
    client.setEncoding('latin1').on('data', chunk => {
      text += chunk
    })
    client.resume()
    await until(() => text.includes('</29>'))
    assert.deepEqual(
      [...text.matchAll(/<\/(\d+)>/g)].map(([, at]) => Number(at)),
      Array.from({ length: 30 }, (_, at) => at),
    )
  })

  test('a client that does not read cannot keep a server from stopping, which waits for requests in flight (N4)', async () => {
    const work: ServerResponse[] = []
    const { listener, close } = gracefulShutdown((request, response) => {
      if (request.url === '/work') work.push(response)
      else response.end(LARGE)
    })
    const { port, server, readers } = await serve(listener, { ...TIMEOUTS, running: 60_000 })
    for (let count = 0; count < 20; count++) ask(port, requests(10))
    const reply = fetch(`http://127.0.0.1:${port}/work`)
    await until(() => work.length === 1)
    const closed = close(server, readers)
    await until(async () => (await countOpen(server)) === 1)
    work[0]?.end('done')
    assert.equal(await (await reply).text(), 'done')
    await closed
  })

  test('a client that does not read gets no connection beyond the limit, nor more responses on one than permitted (N4)', async () => {
    const server = createHttpServer((_request, response) => response.end())
    assert.ok(server.maxConnections <= 2000)
    const bounded = await serve(() => {})
    bounded.server.maxConnections = 3
    begun.length = 0
    for (let count = 0; count < 5; count++) {
      ask(bounded.port, requests(1))
      await until(() => begun.length === Math.min(count + 1, 3))
    }
    await until(
      () => clients.slice(-5).filter(client => client.closed || client.resume().closed).length === 2,
    )
    assert.equal(await countOpen(bounded.server), 3)
  })
})

suite('Requests of a connection', () => {
  test('a connection ends with its thousandth request, which announces it, and is closed with the next (N4)', async () => {
    const port = Number(new URL(await listen(createHttpServer((_, response) => response.end('ok')))).port)
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    let answers = 0
    let last = ''
    client.on('data', chunk => {
      last += String(chunk)
      if (!last.endsWith('ok')) return
      answers++
      if (answers === 1000) assert.match(last, /^connection: close\r$/im)
      last = ''
      client.write(requests(1))
    })
    client.write(requests(1))
    await until(() => client.closed)
    assert.equal(answers, 1000)
    assert.match(last, /^HTTP\/1.1 503 /)
  })
})

const sleep = async (milliseconds: number) => await new Promise(resolve => setTimeout(resolve, milliseconds))
