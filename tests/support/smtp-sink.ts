import { createServer, type Socket } from 'node:net'

/** A relay that takes letters and remembers only their names, at next to no cost, for thousands of them. */
export interface MailSink {
  readonly url: string
  /** How often each Message-ID was accepted. */
  readonly taken: Map<string, number>
  /** The reference at the beginning of each subject. */
  readonly references: Set<string>
  behaviour: Behaviour
  /** Of so many letters in a hundred it says that they should come later. */
  refusedInHundred: number
  /** The most letters that were on their way at once, from the connection of a client to the answer. */
  readonly mostAtOnce: number
  close(): Promise<void>
}

/** `later` is a 451, `never` a 554; `vanish` closes the connection, `hang` never answers a letter. */
export type Behaviour = 'accept' | 'later' | 'never' | 'vanish' | 'hang'

const END = '\r\n.\r\n'

export async function openMailSink(random: () => number = Math.random): Promise<MailSink> {
  const sockets = new Set<Socket>()

  function judge(): string | null {
    if (sink.behaviour === 'hang') return null
    if (sink.behaviour === 'never') return '554 no'
    const isLater = sink.behaviour === 'later' || random() * 100 < sink.refusedInHundred
    return isLater ? '451 later' : '250 taken'
  }

  function receive(email: string): string | null {
    const verdict = judge()
    if (verdict !== '250 taken') return verdict
    const id = /^Message-ID: (\S+)/im.exec(email)?.[1] ?? 'none'
    sink.taken.set(id, (sink.taken.get(id) ?? 0) + 1)
    const reference = /^Subject: (LF-\w{4}-\w{4})/m.exec(email)?.[1]
    if (reference) sink.references.add(reference)
    return verdict
  }

  let atOnce = 0
  let mostAtOnce = 0
  const server = createServer(socket => {
    if (sink.behaviour === 'vanish') return socket.destroy()
    sockets.add(socket)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    let isOnItsWay = true
    const end = () => {
      if (isOnItsWay) atOnce--
      isOnItsWay = false
    }
    socket.on('close', end)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, email => {
      end()
      return receive(email)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    taken: new Map(),
    references: new Set(),
    behaviour: 'accept',
    refusedInHundred: 0,
    get mostAtOnce() {
      return mostAtOnce
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return sink
}

/** As much of SMTP as a client needs to hand over a letter. */
function converse(socket: Socket, receive: (email: string) => string | null) {
  let text = ''
  let isEmail = false
  const take = () => {
    const mark = isEmail ? END : '\r\n'
    const end = text.indexOf(mark)
    if (end < 0) return null
    const taken = text.slice(0, end)
    text = text.slice(end + mark.length)
    return taken
  }
  socket.setEncoding('latin1')
  socket.write('220 sink\r\n')
  socket.on('data', chunk => {
    text += chunk
    for (let taken = take(); taken !== null; taken = take()) {
      const answer = isEmail ? receive(taken) : reply(taken.toUpperCase())
      isEmail = !isEmail && answer?.startsWith('354') === true
      if (answer) socket.write(`${answer}\r\n`)
    }
  })
}

function reply(command: string): string {
  if (command === 'DATA') return '354 go on'
  return command === 'QUIT' ? '221 bye' : '250 fine'
}
