import { spawnSync } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** One of the ports that the portal may name, and the only one that needs no administrator of the machine. */
export const ACCOUNT_PORT = 2525
export const ACCOUNT = { user: 'office@agency.test', password: 'a1*b2-the-password-of-the-account' }

/** A mail server with accounts and TLS, on a loopback address of its own, since all of them have one port. */
export interface AccountServer {
  readonly host: string
  readonly emails: ReceivedEmail[]
  /** Every sign-in that was tried. */
  readonly signIns: SignIn[]
  /** How many clients have connected. */
  readonly connections: number
  /** What it says instead of accepting a sender. */
  senderReply: { readonly code: number; readonly text: string } | null
  /** The recipient that it does not accept, and what it says instead. */
  unknown: { readonly address: string; readonly text: string } | null
  /** What it says instead of accepting a wrong password. */
  signInReply: string
  close(): Promise<void>
}

interface ReceivedEmail extends Email {
  /** The sender of the envelope. */
  readonly returnPath: string
  readonly recipients: readonly string[]
}

interface SignIn {
  readonly method: string
  readonly user: string | null | undefined
  readonly password: string | null | undefined
  readonly isEncrypted: boolean
}

interface AccountServerOptions {
  readonly host?: string
  readonly certificate: Certificate
  readonly security?: 'starttls' | 'tls' | 'none'
  readonly methods?: readonly string[]
  /** The one that it accepts. */
  readonly accepted?: string
}

export async function openAccountServer(options: AccountServerOptions): Promise<AccountServer> {
  const { host = newLoopback(), certificate, security = 'starttls', methods = ['PLAIN', 'LOGIN'] } = options
  const { accepted = ACCOUNT.password } = options
  let connections = 0
  const server = new SMTPServer({
    ...certificate,
    secure: security === 'tls',
    disabledCommands: security === 'none' ? ['STARTTLS'] : [],
    allowInsecureAuth: security === 'none',
    authMethods: [...methods],
    authOptional: methods.length === 0,
    onConnect(_session, done) {
      connections++
      done()
    },
    onAuth({ method, username: user, password }, session, done) {
      accounts.signIns.push({ method, user, password, isEncrypted: session.secure })
      if (user === ACCOUNT.user && password === accepted) return done(null, { user })
      done(Object.assign(new Error(accounts.signInReply), { responseCode: 535 }))
    },
    onMailFrom(_address, _session, done) {
      const { senderReply } = accounts
      done(senderReply && Object.assign(new Error(senderReply.text), { responseCode: senderReply.code }))
    },
    onRcptTo({ address }, _session, done) {
      const isUnknown = address === accounts.unknown?.address
      done(isUnknown ? Object.assign(new Error(accounts.unknown?.text), { responseCode: 550 }) : null)
    },
    onData(stream, { envelope }, done) {
      const returnPath = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const recipients = envelope.rcptTo.map(({ address }) => address)
      buffer(stream).then(async raw => {
        accounts.emails.push({ ...(await PostalMime.parse(raw)), returnPath, recipients })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(ACCOUNT_PORT, host, resolve))
  const accounts: AccountServer = {
    host,
    emails: [],
    signIns: [],
    get connections() {
      return connections
    },
    senderReply: null,
    unknown: null,
    signInReply: '5.7.8 Username and Password not accepted',
    close: () => new Promise(resolve => server.close(resolve)),
  }
  return accounts
}

/** Something that is no mail server: it says `greeting`, or nothing at all. @param then what it does with the connection */
export async function openTalker(
  greeting: string,
  then: (socket: Socket) => void = () => {},
  host = newLoopback(),
) {
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket.on('error', () => {})
    socket.write(greeting)
    then(socket)
  })
  await new Promise<void>(resolve => server.listen(ACCOUNT_PORT, host, resolve))
  return {
    host,
    connections: () => connections,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/** An address of this machine that no other test uses. Linux listens on all of 127.0.0.0/8. */
export function newLoopback(): string {
  const byte = () => 1 + Math.floor(Math.random() * 254)
  return `127.${byte()}.${byte()}.${byte()}`
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate for an address, signed by itself. */
export function createCertificate(address: string): Certificate {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=IP:${address}`]
  const command = ['req', '-x509', ...curve, ...subject, '-keyout', '-', '-out', '-']
  const { stdout } = spawnSync('openssl', command, { encoding: 'utf8' })
  const part = (kind: string) =>
    new RegExp(`-----BEGIN ${kind}-----[^]*-----END ${kind}-----\n`).exec(stdout)?.[0] ?? ''
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}
