import { connect } from 'node:net'

/**
 * Sends the same request over and over: `node bench/load.ts URL SECONDS ENCODING`. All responses are equally long, so it
 * counts bytes instead of reading them; a generator that parses HTTP in JavaScript is slower than the server and
 * would measure itself. Prints the number of responses and the milliseconds they took.
 */
const CONNECTIONS = 20
/** Pipelined requests on each connection, so that the server is the bottleneck and not this program. */
const PIPELINED = 4

const [address = '', seconds = '3', encoding = 'identity'] = process.argv.slice(2)
const { hostname, port, pathname, host } = new URL(address)
const request = Buffer.from(
  `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
)

const batches = Array.from({ length: PIPELINED + 1 }, (_, count) => Buffer.concat(Array(count).fill(request)))

const size = await readAnswerSize()
const start = performance.now()
let answers = 0
for (let count = 0; count < CONNECTIONS; count++) keepAsking()
setTimeout(() => {
  process.stdout.write(JSON.stringify({ answers, milliseconds: performance.now() - start }))
  process.exit()
}, Number(seconds) * 1000)

function keepAsking() {
  let received = 0
  const socket = open(PIPELINED)
  socket.on('data', chunk => {
    received += chunk.length
    const whole = Math.floor(received / size)
    if (whole === 0) return
    received -= whole * size
    answers += whole
    socket.write(batches[whole] ?? request)
  })
  // The server ends a connection after its thousandth request.
  socket.on('close', keepAsking)
}

/** Bytes of a whole response. @throws when it is not 200 with a length. */
function readAnswerSize(): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = open(1)
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      text += chunk
      const head = text.indexOf('\r\n\r\n') + 4
      if (head < 4) return
      const length = /^HTTP\/1\.1 200 .*\ncontent-length: (\d+)/is.exec(text)?.[1]
      if (!length) return reject(new Error(`No use: ${text.slice(0, head)}`))
      if (text.length < head + Number(length)) return
      socket.destroy()
      resolve(head + Number(length))
    })
  })
}

function open(count: number) {
  const socket = connect(Number(port), hostname, () => socket.write(batches[count] ?? request))
  return socket
}
