import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../clock.ts'
import { composeMime } from './mime.ts'
import { privateNetworks } from './private-networks.ts'
import { describeSmtpFailure } from './smtp-failure.ts'
import {
  type AddressedEmail,
  PermanentRejection,
  type Transport,
  TransportError,
  UnconfirmedDelivery,
} from './transport.ts'

const CONNECTION_TIMEOUT = seconds(5)
/** No failure is faster, so that the time does not show whether a name of the internal network exists. */
const LOOK_UP_TIME = seconds(1)

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

/** How to reach a server, and how to sign in to it. */
interface Relay extends SMTPConnection.Options {
  readonly auth?: SMTPConnection.AuthenticationType | undefined
}

/** Composed before the connection is made, which a mail server does not keep open for long. */
interface ComposedEmail extends Pick<AddressedEmail, 'from' | 'to' | 'cc' | 'isAutomatic'> {
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
        const connection = new SMTPConnection({ ...options, ...(await open(signal)) })
        const receipt = await deliverOver(connection, relay, { ...email, message }, { signal, progress })
        assertAllAccepted(receipt, secrets)
      } catch (error) {
        throw error instanceof TransportError ? error : explain(error, secrets, progress)
      }
    },
  }
}

async function openSocket(
  { host, port }: SmtpAccount,
  isPrivateAllowed: boolean,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host, port, ...(!isPrivateAllowed && { blockList: privateNetworks }) })
  const timeout = AbortSignal.timeout(CONNECTION_TIMEOUT)
  const lookedUp = sleep(LOOK_UP_TIME, undefined, { ref: false })
  // An error that nobody listens to would end this process, and the server may reset the connection at any time.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, timeout]) })
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

async function deliverOver(
  connection: SMTPConnection,
  relay: Relay,
  email: ComposedEmail,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
) {
  const { promise: broken, reject } = Promise.withResolvers<never>()
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
  throw new PermanentRejection(`Sent, but not to ${rejected.join(', ')}: ${reasons.join('; ')}`)
}

/** Without a reply to the email, the server may have accepted it. */
function explain(error: unknown, secrets: readonly string[], { isHandingOver }: Progress): TransportError {
  const { words, problem, isPermanent, hasReplied } = describeSmtpFailure(error, secrets)
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
async function send(connection: SMTPConnection, { from, to, cc = [], isAutomatic, message }: ComposedEmail) {
  // What cannot be delivered to the null return path is dropped, so two machines never write to each other for ever.
  const envelope = { from: isAutomatic ? '' : from, to: [to, ...cc] }
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnection.SentMessageInfo>()
  connection.send(envelope, message, (error, info) => (error ? reject(error) : resolve(info)))
  return await promise
}
