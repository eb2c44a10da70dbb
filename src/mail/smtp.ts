import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../clock.ts'
import { type AddressedLetter, type Transport, toMimeOptions } from './transport.ts'

/**
 * Sends through the relay at `smtp://user:password@host:port`, a connection for each letter: one that is given up is
 * closed, so that a letter whose sender was told it did not go does not go after all.
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
    async carry(letter, signal) {
      const connection = new SMTPConnection(relay)
      const { promise: broken, reject } = Promise.withResolvers<never>()
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('The mail server closed the connection')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      try {
        await Promise.race([broken, deliver(connection, relay, letter)])
      } finally {
        connection.close()
      }
    },
  }
}

async function deliver(
  connection: SMTPConnection,
  { auth }: { auth?: SMTPConnection.AuthenticationType | undefined },
  letter: AddressedLetter,
) {
  const message = await new MailComposer(toMimeOptions(letter)).compile().build()
  await answered(done => connection.connect(done))
  if (auth) await answered(done => connection.login(auth, done))
  await answered(done => connection.send({ from: letter.from, to: [letter.to] }, message, done))
  connection.quit()
}

/** A step of the conversation, done once the server has agreed to it. */
async function answered(step: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  step(error => (error ? reject(error) : resolve()))
  await promise
}
