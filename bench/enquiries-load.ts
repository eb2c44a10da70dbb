import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'

/**
 * Posts enquiries in a loop: `node bench/enquiries-load.ts --url URL --seconds 4 --clients 64`. Every one has an
 * address and an `Idempotency-Key` of its own, so that no rate limit applies and none is a repeat. Writes HTTP itself,
 * because a client that parses it costs more than the server. Prints the milliseconds of each response.
 */
const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '64' },
  },
})
const { hostname, port, host } = new URL(options.url)
const run = randomUUID()
/** Two runs against one server must not share addresses. */
const network = Math.floor(Math.random() * 200)
const start = performance.now()
const end = start + Number(options.seconds) * 1000
const latencies: number[] = []
const refusals: string[] = []
let sent = 0

await Promise.all(Array.from({ length: Number(options.clients) }, keepPosting))
process.stdout.write(JSON.stringify({ latencies, refusals, milliseconds: performance.now() - start }))

function keepPosting(): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    let sentAt = 0
    const sendNext = () => {
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    const socket = connect(Number(port), hostname, sendNext)
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', chunk => {
      received += chunk
      if (!isComplete(received)) return
      const now = performance.now()
      if (received.startsWith('HTTP/1.1 201')) latencies.push(Math.round((now - sentAt) * 1000) / 1000)
      else refusals.push(received.slice(0, 200))
      received = ''
      if (now < end) return sendNext()
      socket.destroy()
      resolve()
    })
  })
}

function nextRequest(): string {
  const number = sent++
  const body = JSON.stringify({
    name: 'Mai Nguyen',
    email: `mai.nguyen.${number}@visitor.test`,
    phone: '+61 400 000 000',
    service: 'family',
    message:
      'My sister lives in Da Nang and would like to join me in Perth. Which visa may she apply for, and when?',
    recaptchaToken: 'recaptcha_disabled',
  })
  const address = `${network + 10}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  return [
    'POST /api/contact HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Idempotency-Key: ${run}-${number}`,
    `X-Forwarded-For: ${address}`,
    'User-Agent: Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    '',
    body,
  ].join('\r\n')
}

function isComplete(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /content-length: (\d+)/i.exec(received)?.[1]
  if (length) return received.length >= head + 4 + Number(length)
  return received.endsWith('0\r\n\r\n')
}
