import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { type Certificate, newLoopback } from './account-server.ts'

/** What a hostile server does with a command. @param tag of the command */
export type Misdeed = (socket: Socket, tag: string, line: string) => void

interface HostileImap {
  readonly host: string
  readonly port: number
  /** Bytes that its clients took. */
  readonly sent: number
  /** How often somebody has connected. */
  readonly connections: number
  close(): Promise<void>
}

/** An IMAP server that behaves until the first command that has a misdeed: `GREETING`, `SEARCH`, `FETCH` and so on. */
export async function openHostileImap(
  certificate: Certificate,
  misdeeds: Readonly<Record<string, Misdeed>>,
  host = newLoopback(),
  port = 0,
): Promise<HostileImap> {
  const sockets = new Set<Socket>()
  let [sent, connections] = [0, 0]
  const server = createServer(certificate, socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sent += socket.bytesWritten
      sockets.delete(socket)
    })
    if (misdeeds.GREETING) return misdeeds.GREETING(socket, '*', '')
    socket.write('* OK ready\r\n')
    let rest = ''
    socket.on('data', bytes => {
      rest += bytes.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        answer(socket, line)
      }
    })
  })

  // Also one that ends during the handshake.
  server.on('connection', () => {
    connections++
  })

  function answer(socket: Socket, line: string) {
    const [tag = '', first = '', second = ''] = line.split(' ')
    const command = (first.toUpperCase() === 'UID' ? second : first).toUpperCase()
    const misdeed = misdeeds[command]
    if (misdeed) return misdeed(socket, tag, line)
    const lines: Readonly<Record<string, string>> = {
      CAPABILITY: '* CAPABILITY IMAP4rev1\r\n',
      LIST: '* LIST () "/" INBOX\r\n',
      LSUB: '* LSUB () "/" INBOX\r\n',
      EXAMINE: '* 2 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 3]\r\n',
      SEARCH: '* SEARCH 1 2\r\n',
      LOGOUT: '* BYE\r\n',
      FETCH: sizes(2),
    }
    socket.write(`${lines[command] ?? ''}${tag} OK done\r\n`)
  }

  await new Promise<void>(resolve => server.listen(port, host, resolve))
  const address = server.address()
  return {
    host,
    port: typeof address === 'object' && address ? address.port : 0,
    get connections() {
      return connections
    },
    get sent() {
      return sent + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

const sizes = (count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      `* ${at + 1} FETCH (UID ${at + 1} RFC822.SIZE 100 INTERNALDATE "27-Nov-2026 10:00:00 +0000")\r\n`,
  ).join('')

/** Sends a text again and again, for as long as anybody takes it. */
export function endlessly(text: string): Misdeed {
  const bytes = Buffer.from(text)
  return socket => {
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket.on('drain', more)
    more()
  }
}

/** Sends a text by one byte after the other. */
export function slowly(text: string): Misdeed {
  return socket => {
    let at = 0
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write(text[at++ % text.length] ?? '')
    }, 20)
  }
}

/** Sends a text with the tag in place of `TAG`, and with `end` nothing after it. */
export function saying(text: string, end?: 'end'): Misdeed {
  return (socket, tag) => {
    socket.write(text.replaceAll('TAG', tag))
    if (end) socket.end()
  }
}
