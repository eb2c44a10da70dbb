import { createTransport } from 'nodemailer'
import { seconds } from '../clock.ts'
import { type Transport, toMimeOptions } from './transport.ts'

/** Sends through the relay at `smtp://user:password@host:port`, keeping a few connections open between letters. */
export function smtpTransport(url: string): Transport {
  const relay = createTransport({
    url,
    pool: true,
    maxConnections: 5,
    connectionTimeout: seconds(5),
    greetingTimeout: seconds(5),
    socketTimeout: seconds(10),
  })
  return {
    kind: 'smtp',
    async carry(letter) {
      await relay.sendMail(toMimeOptions(letter))
    },
    close: () => relay.close(),
  }
}
