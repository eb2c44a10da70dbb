import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { run } from './fetched.ts'
import { freePort, type Measured, startLandfall } from './process.ts'

/** The product behind a reverse proxy with TLS on loopback, as an installation is on the internet. */
export interface Front {
  /** For example https://localhost:40123 */
  readonly url: string
  readonly httpPort: number
  readonly httpsPort: number
  /** The certificate, for those that should trust it. */
  readonly certificate: string
  close(): Promise<void>
}

type Answer = (asked: IncomingMessage, reply: ServerResponse) => boolean

/** @param planted responds instead of the product to some requests: a vulnerability that a scanner must find */
export async function openFront(
  folder: string,
  env: NodeJS.ProcessEnv = {},
  planted: Answer = () => false,
): Promise<Front> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const url = `https://localhost:${httpsPort}`
  const app = await startLandfall({ PUBLIC_URL: url, ...env })
  const { certificate, key } = await makeCertificate(folder)
  const tls = createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (asked, reply) => {
    if (!planted(asked, reply)) pass(app, asked, reply)
  })
  const plain = createServer((asked, reply) => reply.writeHead(301, { Location: `${url}${asked.url}` }).end())
  await Promise.all([listen(tls, httpsPort), listen(plain, httpPort)])
  return {
    url,
    httpPort,
    httpsPort,
    certificate,
    async close() {
      for (const server of [tls, plain]) {
        server.closeAllConnections()
        server.close()
      }
      await app.close()
    },
  }
}

let visitors = 0

/** Each request is of another visitor, in a /48 of its own, or limits would keep a scanner from most of what it tries. */
function pass({ url }: Measured, asked: IncomingMessage, reply: ServerResponse) {
  const address = `2001:${(0xdb8 + (++visitors >> 16)).toString(16)}:${(visitors & 0xffff).toString(16)}::1`
  const { method } = asked
  const path = asked.url ?? '/'
  // A scanner may ask for brotli and then not read it, which it does not report.
  const headers = { ...asked.headers, 'accept-encoding': 'identity', 'x-forwarded-for': address }
  const passed = request(url, { method, path, headers })
  passed.on('response', answer => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(reply)
  })
  passed.on('error', () => reply.destroy())
  asked.pipe(passed)
}

async function makeCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files])
  return { key, certificate }
}

async function listen(server: Server, port: number) {
  server.listen(port, 'localhost')
  await new Promise(resolve => server.once('listening', resolve))
}
