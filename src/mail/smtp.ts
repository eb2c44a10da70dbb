import { once } from 'node:events'
import { BlockList, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { minutes, seconds } from '../platform/clock.ts'
import { recipientsOf } from './email.ts'
import { composeMime } from './mime.ts'
import { describeSmtpFailure } from './smtp-failure.ts'
import {
  type AddressedEmail,
  DelayedRecipient,
  PartialDelivery,
  PermanentRejection,
  type Transport,
  TransportError,
  UnconfirmedDelivery,
} from './transport.ts'

const CONNECTION_TIMEOUT = seconds(5)
/** A server scans files before it says that it has taken an email. */
const SCAN_TIME = minutes(3)
/** No failure is faster, so that the time does not show whether a name of the internal network exists. */
export const LOOK_UP_TIME = seconds(1)

/** An account on a mail server that an admin entered. */
export interface SmtpAccount {
  readonly host: string
  readonly port: number
  /** `tls` from the start, or `starttls` before anything is sent: nothing goes over the network in clear text. */
  readonly security: 'starttls' | 'tls'
  /** Empty: the server needs no sign-in. */
  readonly user: string
  readonly password: string
}

/** Sends through the relay at `smtp://user:password@host:port`, which the operator of the server chose. */
export function smtpTransport(url: string): Transport {
  const relay = parseConnectionUrl(url)
  return relayTransport(relay, [relay.auth?.pass ?? ''], async () => ({}))
}

/**
 * Sends through an account that was entered in the portal. Unless `isPrivateAllowed`, its server must have an address on
 * the internet, so that nobody can look for servers of the internal network. It is checked when the connection is made,
 * because a name may have another address by then.
 */
export function accountTransport(account: SmtpAccount, isPrivateAllowed: boolean, sender: string): Transport {
  const { host, port, security, user, password } = account
  const relay = {
    host,
    port,
    secure: security === 'tls',
    requireTLS: true,
    ...(user && { auth: { user, pass: password } }),
  }
  const secrets = [password, `\0${user}\0${password}`]
  const open = async (signal: AbortSignal) => ({
    connection: await openSocket(account, isPrivateAllowed, signal),
  })
  return { ...relayTransport(relay, secrets, open), sender }
}

/** The address of a server and the credentials for it. */
interface Relay extends SMTPConnection.Options {
  readonly auth?: SMTPConnection.AuthenticationType | undefined
}

/** Composed before the connection is made, which a mail server does not keep open for long. */
interface ComposedEmail extends Pick<AddressedEmail, 'from' | 'to' | 'cc' | 'lacking' | 'isAutomatic'> {
  readonly message: Buffer
}

type Open = (signal: AbortSignal) => Promise<Pick<SMTPConnection.Options, 'connection'>>

/**
 * One connection for each email. When delivery is aborted the connection is closed, so that an email reported as not sent is
 * not sent later. @param secrets what no error may repeat
 */
function relayTransport(relay: SMTPConnection.Options, secrets: readonly string[], open: Open): Transport {
  const options = {
    ...relay,
    connectionTimeout: CONNECTION_TIMEOUT,
    greetingTimeout: seconds(5),
    socketTimeout: seconds(10),
  }
  return {
    kind: 'smtp',
    async deliver(email, signal) {
      const progress = { isHandingOver: false }
      try {
        const message = await composeMime(email, 'windows')
        const socketTimeout = email.attachments ? SCAN_TIME : options.socketTimeout
        const connection = new SMTPConnection({ ...options, socketTimeout, ...(await open(signal)) })
        const receipt = await deliverOver(connection, relay, { ...email, message }, { signal, progress })
        assertAllAccepted(receipt, secrets)
      } catch (error) {
        throw error instanceof TransportError ? error : explain(error, secrets, progress)
      }
    },
  }
}

/** A connection to a server of the settings, whose addresses are checked when it is made. */
export async function openSocket(
  { host, port }: Pick<SmtpAccount, 'host' | 'port'>,
  isPrivateAllowed: boolean,
  signal?: AbortSignal,
) {
  const socket = connect({ host, port, ...(!isPrivateAllowed && { blockList: privateNetworks }) })
  const timeout = AbortSignal.timeout(CONNECTION_TIMEOUT)
  const lookedUp = sleep(LOOK_UP_TIME, undefined, { ref: false })
  // An error that nobody listens to would end this process, and the server may reset the connection at any time.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]) })
    return socket
  } catch (error) {
    socket.destroy()
    if (!isPrivateAllowed) await lookedUp
    throw error
  }
}

interface Progress {
  /** The server has the sign-in, and gets the email. */
  isHandingOver: boolean
}

/** Bytes and lines of all replies of a conversation: a few kilobytes are usual. */
const MAX_REPLIES = { bytes: 256 * 1024, lines: 5000 }
const LINE_FEED = 10

/** What nodemailer keeps to itself: its version is exact, and a test floods it. */
interface Receiver {
  _onData(chunk: Buffer): void
  /** Ends the conversation with an error, and forgets what it has received. */
  _onResponseTooLarge(): void
}

/** Nodemailer itself limits one reply and not their number, and keeps each, also of a server that sends nothing but line breaks. */
function limitReplies(connection: SMTPConnection): void {
  const receiver = connection as unknown as Receiver
  const receive = receiver._onData.bind(connection)
  let [bytes, lines] = [0, 0]
  receiver._onData = chunk => {
    bytes += chunk.length
    for (const byte of chunk) if (byte === LINE_FEED) lines++
    if (bytes <= MAX_REPLIES.bytes && lines <= MAX_REPLIES.lines) receive(chunk)
    else receiver._onResponseTooLarge()
  }
}

async function deliverOver(
  connection: SMTPConnection,
  relay: Relay,
  email: ComposedEmail,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
) {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  limitReplies(connection)
  connection.on('error', reject)
  connection.once('end', () => reject(new Error('The mail server closed the connection')))
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  try {
    return await Promise.race([broken, deliver(connection, relay, email, progress)])
  } finally {
    connection.close()
  }
}

async function deliver(
  connection: SMTPConnection,
  { auth }: Relay,
  email: ComposedEmail,
  progress: Progress,
) {
  await replied(done => connection.connect(done))
  if (auth) await replied(done => connection.login(auth, done))
  progress.isHandingOver = true
  const receipt = await send(connection, email)
  connection.quit()
  return receipt
}

/** The server sends the email to the other recipients, so another attempt would give them a second one. */
function assertAllAccepted(
  { rejected, rejectedErrors = [] }: SMTPConnection.SentMessageInfo,
  secrets: readonly string[],
) {
  if (rejected.length === 0) return
  const reasons = rejectedErrors.map(error => describeSmtpFailure(error, secrets).words)
  throw new PartialDelivery(`Sent, but not to ${rejected.join(', ')}: ${reasons.join('; ')}`, rejected)
}

/** Without a reply to the email, the server may have accepted it. */
function explain(error: unknown, secrets: readonly string[], { isHandingOver }: Progress): TransportError {
  const { words, problem, isPermanent, isDelayed, hasReplied } = describeSmtpFailure(error, secrets)
  if (isDelayed) return new DelayedRecipient(words)
  if (isPermanent) return new PermanentRejection(words, problem)
  return new (isHandingOver && !hasReplied ? UnconfirmedDelivery : TransportError)(words, problem)
}

/** One SMTP command, resolved once the server has accepted it. */
async function replied(step: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  step(error => (error ? reject(error) : resolve()))
  await promise
}

/** Hands over the email, resolved once the server has accepted it for one recipient at least. */
async function send(connection: SMTPConnection, email: ComposedEmail) {
  const { from, isAutomatic, message } = email
  // With the null return path, failure reports are dropped, and two machines never answer each other for ever.
  const envelope = { from: isAutomatic ? '' : from, to: [...recipientsOf(email)] }
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnection.SentMessageInfo>()
  connection.send(envelope, message, (error, info) => (error ? reject(error) : resolve(info)))
  return await promise
}

/**
 * Addresses that no server on the internet has: this machine, networks of a company or a data centre, multicast and what
 * is reserved (the registries of RFC 6890). IPv4 addresses inside IPv6 count as what they are.
 */
export const privateNetworks = new BlockList()

for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Cloud providers give machines their credentials here.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays of 6to4, which nobody runs any more.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')

for (const [network, prefix] of [
  // The internet is 2000::/3. After it are private, link-local and multicast addresses.
  ['4000::', 2],
  ['8000::', 1],
  // 6to4 and Teredo hold an IPv4 address that nothing here would check.
  ['2002::', 16],
  ['2001::', 32],
  // Protocols, identifiers and documentation.
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

// Before it is nothing but ::ffff:0:0/96, which is all of IPv4: loopback, NAT64 and IPv4 in other clothes are in the parts
// that differ from it in the last bit of their prefix.
const IPV4 = 0xffffn << 32n
for (let prefix = 4; prefix <= 96; prefix++) {
  const host = BigInt(128 - prefix)
  const network = ((IPV4 >> host) ^ 1n) << host
  const groups = network.toString(16).padStart(32, '0').match(/.{4}/g) ?? []
  privateNetworks.addSubnet(groups.join(':'), prefix, 'ipv6')
}
