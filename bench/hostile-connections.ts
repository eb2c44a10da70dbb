import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../src/platform/clock.ts'
import type { Case, Target } from './hostile-target.ts'

/** More than a server keeps open. */
const CONNECTIONS = 2050
const ATTACKER = '127.0.0.3'
const NEIGHBOUR = '127.0.0.2'
/** Of an address: those beyond it replace one another. */
const MAX_HELD = 200
/** Milliseconds that a visitor waits for a page on a new connection, or three times as long as without the attack. */
const MAX_WAIT = 250
const MAX_TIMES = 3
const MAX_MEMORY = 64
const WATCHED = seconds(5)
/** Other programs on the machine can make visitors wait, and never spare them a wait. */
const ATTEMPTS = 3
const PAUSE = 20
/** Milliseconds in which a server closes what is beyond its limits. */
const SETTLED = seconds(1)

/** What each connection sends, once. */
const attacks = {
  nothing: '',
  'half a request': 'GET /contact HTTP/1.1\r\nHost: agency.test\r\nX-',
  'a part of a body':
    'POST /api/contact HTTP/1.1\r\nHost: agency.test\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{',
}

/** One address takes all connections, and takes each again that it loses. */
export const allConnections: Case = {
  name: 'A3: one address takes all connections',
  env: { TRUST_PROXY: '0' },

  async measure(target) {
    const quiet = await visit(target)
    const figures = []
    for (const [sent, text] of Object.entries(attacks)) {
      const before = target.memory()
      const holder = holdConnections(target, text)
      await sleep(seconds(3))
      const most = Math.max(MAX_WAIT, MAX_TIMES * quiet.wait)
      let hostile = await visit(target)
      for (let attempt = 1; attempt < ATTEMPTS && hostile.wait > most; attempt++) {
        const again = await visit(target)
        hostile = {
          wait: Math.min(hostile.wait, again.wait),
          refused: hostile.refused + again.refused,
        }
      }
      const memory = target.memory() - before
      const held = await holder.end()
      figures.push(
        { name: `others refused, while each sends ${sent}`, value: hostile.refused + quiet.refused, most: 0 },
        {
          name: `ms that others wait (without it ${quiet.wait.toFixed(0)})`,
          value: hostile.wait,
          most,
        },
        { name: 'connections that it holds', value: held, most: MAX_HELD },
        { name: 'MB more', value: memory, most: MAX_MEMORY },
      )
    }
    return figures
  },
}

function holdConnections({ url }: Target, text: string) {
  const { port } = new URL(url)
  const sockets = new Set<Socket>()
  let isOver = false
  async function hold() {
    while (!isOver) {
      if (sockets.size < CONNECTIONS) {
        // What the server answers is read: one who reads nothing would not notice that it has closed the connection.
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER }).resume()
        sockets.add(socket)
        socket.on('error', () => {}).once('close', () => sockets.delete(socket))
        if (text) socket.write(text)
        await new Promise(resolve => socket.once('connect', resolve).once('close', resolve))
      } else await sleep(PAUSE)
    }
  }
  const all = Promise.all(Array.from({ length: 16 }, hold))
  return {
    /** @returns how many stay open once no other one replaces them */
    async end() {
      isOver = true
      const countOpen = () => [...sockets].filter(socket => !socket.connecting && !socket.destroyed).length
      // The system connects more than the server has accepted, which takes a busy machine a while.
      for (let at = 0; at < 10 && (at === 0 || countOpen() > MAX_HELD); at++) await sleep(SETTLED)
      const held = countOpen()
      for (const socket of sockets) socket.destroy()
      await all
      return held
    },
  }
}

/** Reads pages from another address, each on a new connection. */
async function visit({ url }: Target) {
  const end = performance.now() + WATCHED
  let [wait, refused] = [0, 0]
  while (performance.now() < end) {
    const start = performance.now()
    const isAnswered = await new Promise<boolean>(resolve => {
      get(`${url}/contact`, { agent: false, localAddress: NEIGHBOUR, timeout: seconds(5) }, response =>
        response.resume().once('end', () => resolve(response.statusCode === 200)),
      )
        .once('error', () => resolve(false))
        .once('timeout', () => resolve(false))
    })
    if (!isAnswered) refused++
    wait = Math.max(wait, performance.now() - start)
    await sleep(PAUSE)
  }
  return { wait, refused }
}
