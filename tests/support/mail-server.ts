import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { TIMEOUT } from './until.ts'

/** A real SMTP server on loopback that stores what it receives. */
export interface MailServer {
  readonly url: string
  readonly emails: ReceivedEmail[]
  readonly refused: ReceivedEmail[]
  /**
   * `accept` (the default), `refuse` with a 554, `too large` with a 552, `later` with a 451, `vanish` after reading the
   * email, `hang`: read the email and send no reply, or `no such mailbox`: refuse the recipient with a 550.
   */
  behaviour: 'accept' | 'refuse' | 'too large' | 'later' | 'vanish' | 'hang' | 'no such mailbox'
  /** Recipients that it refuses, whatever it does with others, and what it says of each, such as `550 5.1.1 Nobody`. */
  readonly refusedRecipients: Map<string, string>
  /** How many clients are connected. */
  readonly connections: number
  /** How many emails hang. */
  readonly held: number
  /** Accepts what hangs, or does with it and with all that follows what it is given. */
  release(behaviour?: MailServer['behaviour']): void
  /** Waits for an email; each is returned once only. @throws after 15 seconds */
  next(isWanted?: (email: ReceivedEmail) => boolean): Promise<ReceivedEmail>
  close(): Promise<void>
}

const refusals: ReadonlyMap<string, { responseCode: number; words: string }> = new Map([
  ['refuse', { responseCode: 554, words: 'Mailbox is full' }],
  ['too large', { responseCode: 552, words: 'Message size exceeds the limit' }],
  ['later', { responseCode: 451, words: 'Try again later' }],
])

export interface ReceivedEmail extends Email {
  /** Every recipient of the envelope. */
  readonly recipients: readonly string[]
  /** The sender of the envelope; empty for the null return path. */
  readonly returnPath: string
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
    onRcptTo({ address }, _session, done) {
      const isAway = mailServer.behaviour === 'no such mailbox'
      const refusal = mailServer.refusedRecipients.get(address) ?? (isAway && '550 5.1.1 No such mailbox')
      if (!refusal) return done()
      done(Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) }))
    },
    onData(stream, session, done) {
      const { rcptTo, mailFrom } = session.envelope
      const recipients = rcptTo.map(recipient => recipient.address)
      const envelope = { recipients, returnPath: mailFrom ? mailFrom.address : '' }
      // An email is not sent if its client is killed half-way.
      buffer(stream).then(
        raw => receive(raw.toString('utf8'), envelope, done),
        () => {},
      )
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()

  async function receive(
    raw: string,
    envelope: Pick<ReceivedEmail, 'recipients' | 'returnPath'>,
    done: (error?: Error) => void,
  ) {
    const email = { ...(await PostalMime.parse(raw)), ...envelope, raw }
    if (mailServer.behaviour === 'hang') await new Promise<void>(resolve => held.push(resolve))
    const refusal = refusals.get(mailServer.behaviour)
    if (refusal) {
      refused.push(email)
      return done(Object.assign(new Error(refusal.words), { responseCode: refusal.responseCode }))
    }
    emails.push(email)
    if (mailServer.behaviour === 'vanish') for (const { _socket } of server.connections) _socket.destroy()
    done()
  }

  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    emails,
    refused,
    behaviour: 'accept',
    refusedRecipients: new Map(),
    get connections() {
      return server.connections.size
    },
    get held() {
      return held.length
    },
    release(behaviour = 'accept') {
      mailServer.behaviour = behaviour
      for (const accept of held.splice(0)) accept()
    },
    async next(isWanted = () => true) {
      const deadline = Date.now() + TIMEOUT
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
