import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server on loopback that stores what it receives. */
export interface MailServer {
  readonly url: string
  readonly emails: ReceivedEmail[]
  readonly refused: ReceivedEmail[]
  /** `accept` (the default), `refuse` with a 554, or `hang`: read the email and send no reply. */
  behaviour: 'accept' | 'refuse' | 'hang'
  /** How many clients are connected. */
  readonly connections: number
  /** How many emails hang. */
  readonly held: number
  /** Accepts what hangs. */
  release(): void
  /** Waits for an email; each is returned once only. @throws after 15 seconds */
  next(isWanted?: (email: ReceivedEmail) => boolean): Promise<ReceivedEmail>
  close(): Promise<void>
}

export interface ReceivedEmail extends Email {
  /** Every recipient of the envelope. */
  readonly recipients: readonly string[]
  readonly raw: string
}

export async function openMailServer(port = 0): Promise<MailServer> {
  const emails: ReceivedEmail[] = []
  const refused: ReceivedEmail[] = []
  const seen = new Set<ReceivedEmail>()
  const held: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(recipient => recipient.address)
      // An email is not sent if its client is killed half-way.
      buffer(stream).then(
        raw => receive(raw.toString('utf8'), recipients, done),
        () => {},
      )
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()

  async function receive(raw: string, recipients: readonly string[], done: (error?: Error) => void) {
    const email = { ...(await PostalMime.parse(raw)), recipients, raw }
    if (mailServer.behaviour === 'hang') await new Promise<void>(resolve => held.push(resolve))
    if (mailServer.behaviour === 'refuse') {
      refused.push(email)
      return done(Object.assign(new Error('Mailbox is full'), { responseCode: 554 }))
    }
    emails.push(email)
    done()
  }

  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    emails,
    refused,
    behaviour: 'accept',
    get connections() {
      return server.connections.size
    },
    get held() {
      return held.length
    },
    release() {
      mailServer.behaviour = 'accept'
      for (const accept of held.splice(0)) accept()
    },
    async next(isWanted = () => true) {
      const deadline = Date.now() + 15_000
      while (Date.now() < deadline) {
        const email = emails.find(candidate => !seen.has(candidate) && isWanted(candidate))
        if (email) {
          seen.add(email)
          return email
        }
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      throw new Error(`No such email arrived, but ${emails.length} others did`)
    },
    close: () => new Promise(resolve => server.close(resolve)),
  }
  return mailServer
}
