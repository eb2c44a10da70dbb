import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../clock.ts'
import { composeMime } from './mime.ts'
import { type AddressedEmail, PermanentRejection, type Transport } from './transport.ts'

/**
 * Sends through the relay at `smtp://user:password@host:port`, with one connection for each email. When delivery is
 * aborted the connection is closed, so that an email reported as not sent is not sent later.
 */
export function smtpTransport(url: string): Transport {
  const relay = {
    ...parseConnectionUrl(url),
    connectionTimeout: seconds(5),
    greetingTimeout: seconds(5),
    socketTimeout: seconds(10),
  }
  return {
    kind: 'smtp',
    async deliver(email, signal) {
      const connection = new SMTPConnection(relay)
      const { promise: broken, reject } = Promise.withResolvers<never>()
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('The mail server closed the connection')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      try {
        await Promise.race([broken, deliver(connection, relay, email)])
      } finally {
        connection.close()
      }
    },
  }
}

async function deliver(
  connection: SMTPConnection,
  { auth }: { auth?: SMTPConnection.AuthenticationType | undefined },
  email: AddressedEmail,
) {
  const message = await composeMime(email, 'windows')
  await replied(done => connection.connect(done))
  if (auth) await replied(done => connection.login(auth, done))
  const envelope = { from: email.from, to: [email.to] }
  await replied(done => connection.send(envelope, message, done)).catch(explain)
  connection.quit()
}

/** A 5xx is about this email; a 4xx or a timeout is about the server. */
function explain(error: unknown): never {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  if (error instanceof Error && code >= 500) throw new PermanentRejection(error.message, { cause: error })
  throw error
}

/** One SMTP command, resolved once the server has accepted it. */
async function replied(step: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  step(error => (error ? reject(error) : resolve()))
  await promise
}
