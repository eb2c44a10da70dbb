import { createServer, type Socket } from 'node:net'

/** A relay that takes every letter and forgets it, at next to no cost, so that a measurement is not of the relay. */
export async function openMailSink(): Promise<{ url: string; taken(): number; close(): Promise<void> }> {
  let taken = 0
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let text = ''
    let isLetter = false
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    socket.write('220 sink\r\n')
    socket.on('data', chunk => {
      text += chunk
      for (
        let end = text.indexOf(isLetter ? END : '\r\n');
        end >= 0;
        end = text.indexOf(isLetter ? END : '\r\n')
      ) {
        const line = text.slice(0, end).toUpperCase()
        text = text.slice(end + (isLetter ? END.length : 2))
        if (isLetter) taken++
        isLetter = !isLetter && line === 'DATA'
        socket.write(isLetter ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    taken: () => taken,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const END = '\r\n.\r\n'
