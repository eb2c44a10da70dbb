import type { TcpNetConnectOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import { ImapFlow } from 'imapflow'
import { type Clock, minutes, seconds } from '../platform/clock.ts'
import { describeImapFailure, floodFailure, timeFailure } from './imap-failure.ts'
import { type FetchedMail, MAX_HEADERS, MAX_MAIL, MailboxFailure, messageIdOf } from './mail-source.ts'
import { LOOK_UP_TIME, openSocket, privateNetworks } from './smtp.ts'

/** A mailbox and who may read it. */
export interface ImapAccount {
  readonly host: string
  readonly port: number
  /** `tls` from the start, or `starttls` before anything is sent: nothing goes over the network in clear text. */
  readonly security: 'starttls' | 'tls'
  readonly user: string
  readonly password: string
  readonly folder: string
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** A mail in the mailbox, before its text is fetched. */
export interface ImapMail {
  readonly uid: number
  readonly size: number
  readonly receivedAt: string
}

const KIB = 1024
const MIB = 1024 * KIB

/** Mails that are searched together. */
export const MAX_SEARCHED_MAILS = 5000
/** Bytes of one line, which is read in one turn of the loop. The numbers that a search replies with are the longest. */
const MAX_LINE = 64 * KIB
/** Mails of a mailbox: a server may say any number, and is searched as often as that takes. */
const MAX_MAILS = 1_000_000
/** Mails that are listed together. */
const MAX_LISTED_MAILS = 200

/** What a step may take. A hostile server would otherwise hold the connection or this process for as long as it likes. */
interface Limit {
  readonly time: number
  readonly bytes: number
}

const SIGN_IN: Limit = { time: seconds(30), bytes: 256 * KIB }
const QUESTION: Limit = { time: seconds(30), bytes: 2 * MAX_LINE }
const LEAVING: Limit = { time: seconds(1), bytes: 64 * KIB }
/** Bytes a second, of the slowest line that is waited for. */
const SLOWEST = 50 * KIB
/** Milliseconds between two looks at the time that a step takes. */
const LOOK = 50

/** After it, a server may end a connection on which it has nothing to say (RFC 2177). */
const MAX_IDLE = minutes(5)

interface Options {
  /** Whether the server may be on this machine or in a private network. */
  readonly isPrivateAllowed: boolean
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** What part of the usual time a step may take; tests are in a hurry. */
  readonly patience?: number
}

/**
 * Signs in and opens a folder, without changing anything in it: no mail gets marked as read. The addresses of the server
 * are checked when the connection is made, because a name may have another one by then. @throws {MailboxFailure}
 */
export async function openMailbox(account: ImapAccount, options: Options) {
  const { isPrivateAllowed, clock, signal, patience = 1 } = options
  const { user, password, folder } = account
  const lookedUp = sleep(LOOK_UP_TIME, undefined, { ref: false })
  const secrets = [password, `\0${user}\0${password}`]
  const client = await newClient(account, isPrivateAllowed, signal).catch(async error => {
    if (!isPrivateAllowed) await lookedUp
    throw describeImapFailure(error, secrets)
  })
  let [hasNews, isClosed] = [false, false]
  let lastError: unknown = null
  // Before `connect`, or an early error would end this process.
  client.on('error', error => {
    lastError = error
  })
  client.on('close', () => {
    isClosed = true
  })
  client.on('exists', () => {
    hasNews = true
  })
  const close = () => client.close()
  signal?.addEventListener('abort', close, { once: true })

  /** Runs one step within its limit; after it the connection is closed. */
  async function within<Result>(limit: Limit, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    const { received } = client.stats()
    const { promise: broken, reject } = Promise.withResolvers<never>()
    const check = () => {
      const failure = exceeded(
        limit,
        (performance.now() - begun) / patience,
        client.stats().received - received,
      )
      if (!failure) return
      reject(failure)
      close()
    }
    const timer = setInterval(check, LOOK)
    // Each line is logged: a flood ends with the line that is too much, and not when the loop gets to the timer.
    client.on('log', check)
    try {
      signal?.throwIfAborted()
      return await Promise.race([work(), broken])
    } catch (error) {
      throw describeImapFailure(lastError ?? error, secrets)
    } finally {
      clearInterval(timer)
      client.off('log', check)
    }
  }

  async function open() {
    await client.connect()
    return await client.mailboxOpen(folder, { readOnly: true })
  }
  const opened = await within(SIGN_IN, open).catch(async error => {
    const isSignedIn = Boolean(client.authenticated)
    close()
    if (!isPrivateAllowed) await lookedUp
    if (error instanceof MailboxFailure && error.problem === 'answer' && isSignedIn)
      throw new MailboxFailure(`There is no folder "${folder}" in this mailbox`, 'folder')
    throw error
  })

  function countMails(): number {
    const { exists = 0 } = client.mailbox || {}
    return exists
  }

  const fetchAll = async (uids: readonly number[], query: Parameters<ImapFlow['fetchAll']>[1]) =>
    await client.fetchAll(uids.join(','), { uid: true, ...query }, { uid: true })

  return {
    /** Another one means that all numbers of mails have changed. */
    uidValidity: String(opened.uidValidity),
    /** A number that no mail has yet; those that come get this one or a higher one. */
    uidNext: opened.uidNext,
    get hasNews() {
      return hasNews
    },
    get isUsable() {
      return client.usable && !isClosed
    },

    /** The numbers of the mails from `first`, up to `last`, or that came since a day; lowest first. */
    async search({ first, last = '*', since }: Search): Promise<number[]> {
      hasNews = false
      await within(QUESTION, () => client.noop())
      const exists = countMails()
      if (exists > MAX_MAILS) throw floodFailure()
      // Of `5:*` the last mail is a part, also if its number is lower.
      const max = last === '*' ? Number.MAX_SAFE_INTEGER : last
      if (first > max) return []
      const query = { uid: `${first}:${last}`, ...(since && { since }) }
      const all = new Set<number>()
      // From the last mail down, because those after one that is removed meanwhile move down, too.
      for (let end = exists; end > 0; end -= MAX_SEARCHED_MAILS) {
        const begin = Math.max(1, end - MAX_SEARCHED_MAILS + 1)
        const seq = `${begin}:${end === exists ? '*' : end}`
        const found = await within(QUESTION, async () => {
          const uids = await client.search({ seq, ...query }, { uid: true })
          if (!uids) throw new MailboxFailure('The mail server did not search the mailbox', 'answer')
          return uids
        })
        // The last part also has what came meanwhile.
        const came = Math.max(0, countMails() - exists)
        if (found.length > MAX_SEARCHED_MAILS + came) throw floodFailure()
        const wanted = found.filter(uid => uid >= first && uid <= max)
        for (const uid of wanted) all.add(uid)
        // Those before it have lower numbers.
        if (!since && last === '*' && wanted.length === 0) break
      }
      return [...all].sort((one, other) => one - other)
    },

    /** Sizes before anything is fetched; one that is gone is left out. At most 200 at once. */
    async list(uids: readonly number[]): Promise<ImapMail[]> {
      if (uids.length === 0) return []
      if (uids.length > MAX_LISTED_MAILS) throw new RangeError(`${uids.length} mails are too many at once`)
      const found = await within({ time: seconds(30), bytes: MIB }, () =>
        fetchAll(uids, { size: true, internalDate: true }),
      )
      const wanted = new Set(uids)
      return found
        .filter(({ uid }) => wanted.delete(uid))
        .map(({ uid, size = 0, internalDate }) => ({ uid, size, receivedAt: isoOf(internalDate, clock) }))
        .sort((one, other) => one.uid - other.uid)
    },

    /** The Message-ID of each; null for a mail without one. */
    async messageIds(uids: readonly number[]): Promise<Map<number, string | null>> {
      if (uids.length === 0) return new Map()
      const found = await within({ time: seconds(30), bytes: 2 * MIB }, () =>
        fetchAll(uids, { headers: ['Message-ID'] }),
      )
      return new Map(found.map(({ uid, headers }) => [uid, messageIdOf(headers ?? Buffer.alloc(0))]))
    },

    /** Mails that together are small enough for the memory; one that is gone is left out. See `batchesOf`. */
    async fetch(mails: readonly ImapMail[]): Promise<Map<number, FetchedMail>> {
      const size = mails.reduce((sum, mail) => sum + mail.size, 0)
      // Some servers are not exact about sizes.
      const limit = { time: seconds(30) + (size / SLOWEST) * seconds(1), bytes: 2 * size + MIB }
      const uids = mails.map(({ uid }) => uid)
      const found = await within(limit, () => fetchAll(uids, { source: { maxLength: MAX_MAIL } }))
      const byUid = new Map(found.map(({ uid, source }) => [uid, source]))
      return new Map(
        mails.flatMap(({ uid, receivedAt }) => {
          const raw = byUid.get(uid)
          return raw ? [[uid, { raw, receivedAt }] as const] : []
        }),
      )
    },

    /** Only the headers: of a mail that is too large, or that cannot be fetched. Null for one that is gone. */
    async fetchHeaders({ uid, size, receivedAt }: ImapMail): Promise<FetchedMail | null> {
      const bodyParts = [{ key: 'HEADER', maxLength: MAX_HEADERS }]
      const [found] = await within({ time: seconds(30), bytes: 2 * MAX_HEADERS }, () =>
        fetchAll([uid], { bodyParts }),
      )
      const raw = found?.headers
      return raw ? { raw, receivedAt, omitted: Math.max(0, size - raw.length) } : null
    },

    /** Waits until the server says that there is another mail, but not longer than `time`. @throws when the connection ends */
    async waitForNews(time: number, wake: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, time)
      for (const event of ['exists', 'close'] as const) client.on(event, resolve)
      const stop = () => resolve()
      wake.addEventListener('abort', stop)
      try {
        const isOver = hasNews || wake.aborted || isClosed
        if (!isOver) await within({ time: time + seconds(10), bytes: MIB }, () => promise)
        if (isClosed) throw describeImapFailure(lastError, secrets)
      } finally {
        clearTimeout(timer)
        wake.removeEventListener('abort', stop)
        for (const event of ['exists', 'close'] as const) client.off(event, resolve)
      }
    },

    async close(): Promise<void> {
      signal?.removeEventListener('abort', close)
      if (!isClosed) await within(LEAVING, () => client.logout()).catch(() => {})
      close()
    },
  }
}

interface Search {
  readonly first: number
  readonly last?: number | '*'
  readonly since?: Date
}

async function newClient(account: ImapAccount, isPrivateAllowed: boolean, signal?: AbortSignal) {
  const { host, port, security, user, password } = account
  // The function that checks each address of the name is that of `net`: TLS of Node has none of its own.
  const tls: ConnectionOptions & Pick<TcpNetConnectOpts, 'blockList'> =
    security === 'tls'
      ? { socket: await openSocket(account, isPrivateAllowed, signal) }
      : isPrivateAllowed
        ? {}
        : { blockList: privateNetworks }
  return new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'starttls' && { doSTARTTLS: true }),
    auth: { user, pass: password },
    tls,
    clientInfo: { name: 'Landfall', version: false, vendor: false, 'support-url': false },
    // A few kilobytes could become gigabytes.
    disableCompression: true,
    maxIdleTime: MAX_IDLE,
    autoIdleDelay: seconds(0.5),
    connectionTimeout: seconds(10),
    greetingTimeout: seconds(10),
    socketTimeout: minutes(2),
    maxLineLength: MAX_LINE,
    maxLiteralSize: MAX_MAIL,
    maxResponseSize: MAX_MAIL + MIB,
    logger: false,
    emitLogs: true,
  })
}

function exceeded({ time, bytes }: Limit, passed: number, received: number): MailboxFailure | null {
  if (received > bytes) return floodFailure()
  return passed > time ? timeFailure() : null
}

/** A server may say anything here. */
function isoOf(date: Date | string | undefined, clock: Clock): string {
  const time = new Date(date ?? Number.NaN)
  const year = time.getUTCFullYear()
  return (year >= 1970 && year < 10_000 ? time : clock()).toISOString()
}
