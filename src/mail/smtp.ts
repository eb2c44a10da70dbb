import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../clock.ts'
import { composeMime } from './mime.ts'
import { type AddressedEmail, PermanentRejection, type Transport, UnconfirmedDelivery } from './transport.ts'

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
      const progress = { isHandingOver: false }
      const { promise: broken, reject } = Promise.withResolvers<never>()
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('The mail server closed the connection')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      try {
        await Promise.race([broken, deliver(connection, relay, email, progress)])
      } catch (error) {
        explain(error, progress)
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
  progress: { isHandingOver: boolean },
) {
  const message = await composeMime(email, 'windows')
  await replied(done => connection.connect(done))
  if (auth) await replied(done => connection.login(auth, done))
  progress.isHandingOver = true
  const info = await send(connection, email, message)
  connection.quit()
  assertAllAccepted(info)
}

/** The server sends the email to the other recipients, so another attempt would give them a second one. */
function assertAllAccepted({ rejected, rejectedErrors = [] }: SMTPConnection.SentMessageInfo) {
  if (rejected.length === 0) return
  const words = rejectedErrors.map(({ message }) => message).join('; ')
  throw new PermanentRejection(`Sent, but not to ${rejected.join(', ')}: ${words}`)
}

/** A 5xx is about this email; a 4xx is about the server. Without a reply to the email, the server may have accepted it. */
function explain(error: unknown, { isHandingOver }: { isHandingOver: boolean }): never {
  if (!isHandingOver || error instanceof PermanentRejection) throw error
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const words = error instanceof Error ? error.message : String(error)
  if (code >= 500) throw new PermanentRejection(words, { cause: error })
  if (code > 0) throw error
  throw new UnconfirmedDelivery(words, { cause: error })
}

/** One SMTP command, resolved once the server has accepted it. */
async function replied(step: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  step(error => (error ? reject(error) : resolve()))
  await promise
}

/** Hands over the email, resolved once the server has accepted it for one recipient at least. */
async function send(connection: SMTPConnection, email: AddressedEmail, message: Buffer) {
  const envelope = { from: email.from, to: [email.to, ...(email.cc ?? [])] }
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnection.SentMessageInfo>()
  connection.send(envelope, message, (error, info) => (error ? reject(error) : resolve(info)))
  return await promise
}
