import type { MailboxRow } from '../database/mail-in-tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, days, hours, MAX_CLOCK_SKEW, seconds } from '../platform/clock.ts'
import { batchesOf, type ListedMail, type Mailbox, messageIdOf } from './imap.ts'
import { ImapFailure } from './imap-failure.ts'
import { type FetchedMail, MAX_MAIL } from './mail-source.ts'
import type { Mailboxes, Position } from './mailboxes.ts'

/** What is done with a mail. */
export interface Receiver {
  /** Stores it, once however often it comes. @throws when the database fails, and then nothing is stored */
  receive(
    mail: FetchedMail,
    options: { readonly isEarlier: boolean; readonly address: string },
  ): Promise<unknown>
  /** Which of these Message-IDs are stored, or were. */
  findKnown(messageIds: readonly string[]): Promise<ReadonlySet<string>>
}

interface Session extends Receiver {
  readonly mailbox: Mailbox
  readonly store: Mailboxes
  readonly row: MailboxRow
  readonly address: string
  readonly clock: Clock
  readonly log: Log
  /** How often a mail has failed, by its number: longer than one connection. */
  readonly tries: Map<number, number>
  /** Aborted when the mailbox is to be let go of. */
  readonly signal: AbortSignal
  /** The row as it is now: an import may have been asked for, or stopped. */
  readRow(): Promise<MailboxRow>
  /** Whether an email of this Message-ID only tries the way. */
  isTrial(messageId: string | null): boolean
}

/** Mails that are listed together. */
const LISTED = 200
/** Numbers that are searched together. A mailbox with many gaps is searched in larger steps. */
const WINDOW = 5000
const MAX_WINDOW = 50_000
/** Mails that are imported before it is looked whether a new one has come. */
const IMPORTED = 25
/** Then only the headers are fetched, which something else in the mail may have hindered. */
const HEADERS_ONLY = 2
const GIVE_UP = 4
/** A mail that is older than this when it appears was moved into the folder: nobody waits for an answer to it. */
const OLD = hours(24)
/** Between two questions for new mail while earlier mail is imported. */
const LOOK = seconds(5)
const RECONCILED = days(3)
const RECONCILE_EVERY = hours(24)
/** While a mail is missing. */
const RECONCILE_SOON = hours(1)

/** Fetches what has come since the last time, over one connection. */
export function createMailSession(session: Session) {
  const { mailbox, store, address, clock, log, tries, signal, row } = session
  const connectedAt = Date.parse(row.connected_at)
  let position: Position = { first: 1, last: 0, isRenumbered: false }
  let window = WINDOW
  let queue: number[] = []

  const timeOf = ({ receivedAt }: ListedMail) => Date.parse(receivedAt)
  /** Whether it came after the mailbox was connected. */
  const isOurs = (mail: ListedMail) =>
    mail.uid >= position.first || (position.isRenumbered && timeOf(mail) >= connectedAt - MAX_CLOCK_SKEW)
  const isEarlier = (mail: ListedMail) => timeOf(mail) < connectedAt - OLD

  /** The new numbers, lowest first. After a change of all numbers, those since the mailbox was connected. */
  async function findNew(): Promise<number[]> {
    const { first, last } = position
    const since = new Date(connectedAt - days(2))
    const again = last + 1 < first ? await mailbox.search({ first: last + 1, last: first - 1, since }) : []
    return [...again, ...(await mailbox.search({ first: Math.max(first, last + 1) }))]
  }

  async function fetchNew(): Promise<number> {
    let count = 0
    for (const uids of chunksOf(await findNew(), LISTED)) {
      const listed = (await mailbox.list(uids)).filter(isOurs)
      for (const batch of batchesOf(listed)) {
        await take(batch, isEarlier)
        count += batch.length
        await moveTo(batch.at(-1)?.uid)
      }
      await moveTo(uids.at(-1))
    }
    return count
  }

  async function moveTo(last = 0) {
    if (last <= position.last) return
    await store.saveLast(last)
    position = { ...position, last }
  }

  /** Stores mails, one after the other. One that fails does not keep the others for long. */
  async function take(batch: readonly ListedMail[], isFromBefore: (mail: ListedMail) => boolean) {
    const isSimple = batch.length > 1 && !batch.some(({ uid }) => tries.has(uid))
    const fetched = isSimple ? await fetchTogether(batch) : new Map<number, FetchedMail>()
    for (const listed of batch) {
      signal.throwIfAborted()
      await takeOne(listed, fetched.get(listed.uid), isFromBefore(listed))
    }
  }

  /** Together they are quicker, but then it is not known which of them fails. */
  async function fetchTogether(batch: readonly ListedMail[]): Promise<Map<number, FetchedMail>> {
    try {
      return await mailbox.fetch(batch)
    } catch (error) {
      // One by one from now on, also over the next connection.
      for (const { uid } of batch) tries.set(uid, tries.get(uid) ?? 0)
      if (!mailbox.isUsable) throw error
      return new Map()
    }
  }

  async function takeOne(listed: ListedMail, fetched: FetchedMail | undefined, earlier: boolean) {
    const { uid } = listed
    try {
      const mail = fetched ?? (await fetchOne(listed))
      if (mail && !session.isTrial(messageIdOf(mail.raw)))
        await session.receive(mail, { isEarlier: earlier, address })
      tries.delete(uid)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ImapFailure)) await assertDatabaseWorks()
      const failed = (tries.get(uid) ?? 0) + 1
      tries.set(uid, failed)
      if (failed < GIVE_UP) throw error
      tries.delete(uid)
      log('error', 'EmailService', 'A mail was passed over: it stays in the mailbox', {
        uid,
        received: listed.receivedAt,
        ...describeError(error),
      })
      await store.update({ passed_over: (await session.readRow()).passed_over + 1 })
      // The connection may be over, and what comes after this mail needs another.
      if (!mailbox.isUsable) throw error
    }
  }

  /** @returns null for a mail that is gone */
  async function fetchOne(listed: ListedMail): Promise<FetchedMail | null> {
    const { uid, size } = listed
    if (size > MAX_MAIL || (tries.get(uid) ?? 0) >= HEADERS_ONLY) return await mailbox.fetchHeaders(listed)
    const mail = (await mailbox.fetch([listed])).get(uid)
    if (mail) return mail
    if ((await mailbox.list([uid])).length === 0) return null
    throw new ImapFailure('The mail server did not hand over a mail', 'answer')
  }

  /** While it does not, no mail is to blame. @throws as the database does */
  const assertDatabaseWorks = async () => await store.saveLast(position.last)

  /** Looks at the last days once more: a server may number a mail so that it is never seen as new. */
  async function reconcile(): Promise<void> {
    const now = clock().getTime()
    const since = new Date(now - RECONCILED - days(1))
    // What fails again is counted again.
    await store.update({ reconciled_at: new Date(now).toISOString(), passed_over: 0 })
    for (const uids of chunksOf(await mailbox.search({ first: 1, last: position.last, since }), LISTED)) {
      const ids = await mailbox.messageIds(uids)
      const known = await session.findKnown([...ids.values()].filter(id => id !== null))
      const missing = uids.filter(uid => !known.has(ids.get(uid) ?? ''))
      const listed = (await mailbox.list(missing)).filter(
        mail => isOurs(mail) && timeOf(mail) > now - RECONCILED,
      )
      for (const batch of batchesOf(listed)) await take(batch, isEarlier)
    }
  }

  /** Whether the last days are to be looked at once more. */
  function isReconciliationDue({ reconciled_at: last, passed_over }: MailboxRow): boolean {
    const every = passed_over > 0 ? RECONCILE_SOON : RECONCILE_EVERY
    return clock().getTime() - Date.parse(last ?? row.connected_at) >= every
  }

  /** Imports a few earlier mails, oldest first, so that a conversation begins with its beginning. @returns whether there are more */
  async function importSome(current: MailboxRow): Promise<boolean> {
    if (current.import_state !== 'running') {
      queue = []
      return false
    }
    const from = current.import_from ? new Date(current.import_from) : null
    if (current.import_total === 0) await countImport(from)
    const done = Number(current.import_uid ?? 0)
    if (queue.length === 0) {
      if (done + 1 >= position.first) {
        await store.update({ import_state: 'done', import_total: current.import_done })
        log('info', 'EmailService', 'Earlier mail imported', { mails: current.import_done })
        return false
      }
      const last = Math.min(done + window, position.first - 1)
      queue = await searchEarlier(done + 1, last, from)
      window = queue.length > 0 ? WINDOW : Math.min(2 * window, MAX_WINDOW)
      if (queue.length === 0) {
        await store.update({ import_uid: String(last) })
        return true
      }
    }
    const uids = queue.splice(0, IMPORTED)
    const listed = (await mailbox.list(uids)).filter(
      mail => !isOurs(mail) && (!from || timeOf(mail) >= from.getTime()),
    )
    for (const batch of batchesOf(listed)) await take(batch, () => true)
    await store.update({
      import_uid: String(uids.at(-1) ?? done),
      import_done: current.import_done + uids.length,
    })
    return true
  }

  async function countImport(from: Date | null) {
    let total = 0
    for (let first = 1; first < position.first; first += MAX_WINDOW)
      total += (await searchEarlier(first, Math.min(first + MAX_WINDOW, position.first) - 1, from)).length
    await store.update({ import_total: total })
  }

  const searchEarlier = async (first: number, last: number, from: Date | null) =>
    await mailbox.search({ first, last, ...(from && { since: new Date(from.getTime() - days(1)) }) })

  return {
    async begin() {
      position = await store.begin(row, mailbox)
    },
    /** Fetches until the mailbox is to be let go of. @param wait until there may be something new */
    async run(wait: (time: number) => Promise<void>, poll: number) {
      let looked = Number.NEGATIVE_INFINITY
      for (;;) {
        signal.throwIfAborted()
        // While earlier mail is imported, new mail is not kept waiting, and is not asked for all the time.
        if (mailbox.hasNews || performance.now() - looked >= Math.min(poll, LOOK)) {
          const count = await fetchNew()
          await store.succeeded()
          if (count > 0) log('info', 'EmailService', 'Mail fetched', { mails: count })
          looked = performance.now()
        }
        const current = await session.readRow()
        if (isReconciliationDue(current)) await reconcile()
        if (await importSome(current)) continue
        await wait(poll)
        looked = Number.NEGATIVE_INFINITY
      }
    },
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
