import { createServer, type Socket } from 'node:net'
import { randomFrom } from './random.ts'

/** An SMTP relay that accepts emails and stores only their Message-IDs, so that thousands of them cost little. */
export interface MailSink {
  readonly url: string
  /** How often each Message-ID was accepted. */
  readonly accepted: Map<string, number>
  /** The reference at the beginning of each subject. */
  readonly references: Set<string>
  behaviour: Behaviour
  /** The percentage of emails that it rejects with a 451. */
  rejectPercent: number
  /** The maximum of emails that were in transit concurrently, from the client's connection to the reply. */
  readonly maxConcurrent: number
  close(): Promise<void>
}

/**
 * `later` is a 451, `never` a 554; `vanish` closes the connection, `hang` never replies to an email; `swallow` accepts it,
 * and the connection breaks before it says so.
 */
export type Behaviour = 'accept' | 'later' | 'never' | 'vanish' | 'hang' | 'swallow'

const END = '\r\n.\r\n'

export async function openMailSink(random = randomFrom('emails')): Promise<MailSink> {
  const sockets = new Set<Socket>()

  function chooseReply(): string | null {
    if (sink.behaviour === 'hang') return null
    if (sink.behaviour === 'never') return '554 no'
    const isLater = sink.behaviour === 'later' || random() * 100 < sink.rejectPercent
    return isLater ? '451 later' : '250 accepted'
  }

  function receive(email: string): string | null {
    const verdict = chooseReply()
    if (verdict !== '250 accepted') return verdict
    const id = /^Message-ID: (\S+)/im.exec(email)?.[1] ?? 'none'
    sink.accepted.set(id, (sink.accepted.get(id) ?? 0) + 1)
    const reference = /^Subject: (LF-\w{4}-\w{4})/m.exec(email)?.[1]
    if (reference) sink.references.add(reference)
    return sink.behaviour === 'swallow' ? null : verdict
  }

  let concurrent = 0
  let maxConcurrent = 0
  const server = createServer(socket => {
    if (sink.behaviour === 'vanish') return socket.destroy()
    sockets.add(socket)
    maxConcurrent = Math.max(maxConcurrent, ++concurrent)
    let isInTransit = true
    const end = () => {
      if (isInTransit) concurrent--
      isInTransit = false
    }
    socket.on('close', end)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, email => {
      end()
      const verdict = receive(email)
      if (sink.behaviour === 'swallow') socket.destroy()
      return verdict
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    accepted: new Map(),
    references: new Set(),
    behaviour: 'accept',
    rejectPercent: 0,
    get maxConcurrent() {
      return maxConcurrent
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return sink
}

/** The part of SMTP that a client needs to deliver an email. */
function converse(socket: Socket, receive: (email: string) => string | null) {
  let text = ''
  let isEmail = false
  const readNext = () => {
    const mark = isEmail ? END : '\r\n'
    const end = text.indexOf(mark)
    if (end < 0) return null
    const part = text.slice(0, end)
    text = text.slice(end + mark.length)
    return part
  }
  socket.setEncoding('latin1')
  socket.write('220 sink\r\n')
  socket.on('data', chunk => {
    text += chunk
    for (let part = readNext(); part !== null; part = readNext()) {
      const response = isEmail ? receive(part) : reply(part.toUpperCase())
      isEmail = !isEmail && response?.startsWith('354') === true
      if (response) socket.write(`${response}\r\n`)
    }
  })
}

function reply(command: string): string {
  if (command === 'DATA') return '354 go on'
  return command === 'QUIT' ? '221 bye' : '250 fine'
}
