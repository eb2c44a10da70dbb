import type { MailboxRow } from '../database/mail-in-tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, days, hours, isoAfter, seconds } from '../platform/clock.ts'
import {
  batchesOf,
  type FetchedMail,
  type ListedMail,
  MAX_MAIL,
  MailboxFailure,
  type MailboxProblem,
  type MailSource,
} from './mail-source.ts'
import type { Mailboxes } from './mailboxes.ts'
import { identifiersOf } from './trial-email.ts'

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
  readonly source: MailSource
  readonly store: Mailboxes
  readonly row: MailboxRow
  readonly address: string
  readonly clock: Clock
  readonly log: Log
  readonly memory: SessionMemory
  /** Aborted when the mailbox is to be let go of. */
  readonly signal: AbortSignal
  /** The row as it is now: an import may have been asked for, or stopped. */
  readRow(): Promise<MailboxRow>
  /** Whether an email of this Message-ID only tries the way. */
  isTrial(messageId: string | null): boolean
}

/** What one session leaves to the next. */
export interface SessionMemory {
  /** How often a mail has failed, by its id. */
  readonly tries: Map<string, number>
  /** What is stored of mails that are listed again after an interruption: else a list that never gets far would never end. */
  readonly stored: { readonly news: Set<string>; readonly earlier: Set<string> }
}

/** Then only the headers are fetched, which something else in the mail may have hindered. */
const HEADERS_ONLY = 2
const GIVE_UP = 4
/** A mail that is older than this when it appears was moved into the folder: nobody waits for an answer to it. */
const OLD = hours(24)
/** Between two questions for new mail while earlier mail is imported. */
const LOOK = seconds(5)
const RECONCILED = days(3)
/** While a mail is missing, so that it is looked for as long as the number says that it is. */
const RECONCILED_WHILE_MISSING = days(30)
const RECONCILE_EVERY = hours(24)
/** While a mail is missing. */
const RECONCILE_SOON = hours(1)

/** Fetches what has come since the last time, over one connection. */
export function createMailSession(session: Session) {
  const { source, store, address, clock, log, signal, row } = session
  const { tries, stored } = session.memory
  const connectedAt = Date.parse(row.connected_at)

  const triesOf = ({ id }: ListedMail) => tries.get(id) ?? 0
  const timeOf = ({ receivedAt }: ListedMail) => Date.parse(receivedAt)
  const isEarlier = (mail: ListedMail) => timeOf(mail) < connectedAt - OLD

  async function fetchNew(): Promise<number> {
    let count = 0
    for await (const batch of source.listNew()) {
      await takeOnce(batch, isEarlier, stored.news)
      count += batch.length
    }
    stored.news.clear()
    return count
  }

  /** Stores what is listed, unless it was listed and stored before. @param names of what was, by the time too: an id may be used again */
  async function takeOnce(
    batch: readonly ListedMail[],
    isFromBefore: (mail: ListedMail) => boolean,
    names: Set<string>,
  ) {
    const nameOf = ({ id, receivedAt }: ListedMail) => `${id} ${receivedAt}`
    const left = batch.filter(mail => !names.has(nameOf(mail)))
    await take(left, isFromBefore, passOver)
    for (const mail of left) names.add(nameOf(mail))
  }

  /** Stores mails, one after the other. One that fails does not keep the others for long. @param fail what is done about that one */
  async function take(
    batch: readonly ListedMail[],
    isFromBefore: (mail: ListedMail) => boolean,
    fail: (mail: ListedMail, error: unknown) => Promise<void>,
  ) {
    const isSimple = batch.length > 1 && !batch.some(({ id }) => tries.has(id))
    const fetched = isSimple ? await fetchTogether(batch) : new Map<string, FetchedMail>()
    for (const listed of batch) {
      signal.throwIfAborted()
      try {
        await takeOne(listed, fetched.get(listed.id), isFromBefore(listed))
        tries.delete(listed.id)
      } catch (error) {
        await assertAboutMail(error)
        tries.set(listed.id, triesOf(listed) + 1)
        await fail(listed, error)
        // The connection may be over, and what comes after this mail needs another.
        if (!source.isUsable) throw error
      }
    }
  }

  /** Together they are quicker, but then it is not known which of them fails. */
  async function fetchTogether(batch: readonly ListedMail[]): Promise<ReadonlyMap<string, FetchedMail>> {
    try {
      return await source.fetch(batch)
    } catch (error) {
      // One by one from now on, also over the next connection.
      for (const { id } of batch) tries.set(id, tries.get(id) ?? 0)
      if (!source.isUsable) throw error
      return new Map()
    }
  }

  async function takeOne(listed: ListedMail, fetched: FetchedMail | undefined, earlier: boolean) {
    const mail = fetched ?? (await fetchOne(listed))
    if (mail && !identifiersOf(mail.raw).some(session.isTrial))
      await session.receive(mail, { isEarlier: earlier, address })
  }

  /** Gives up a mail that has failed a few times. @throws before that: a while later it may not fail */
  async function passOver(mail: ListedMail, error: unknown) {
    if (triesOf(mail) < GIVE_UP) throw error
    tries.delete(mail.id)
    logPassedOver(mail, error)
    await store.update({ passed_over: (await session.readRow()).passed_over + 1 })
  }

  function logPassedOver({ id, receivedAt }: ListedMail, error: unknown) {
    const details = { mail: id, received: receivedAt, ...describeError(error) }
    log('error', 'EmailService', 'A mail was passed over: it stays in the mailbox', details)
  }

  /** @throws what has failed if no mail is to blame for it */
  async function assertAboutMail(error: unknown) {
    signal.throwIfAborted()
    if (!(error instanceof MailboxFailure)) await assertDatabaseWorks()
    else if (OF_SERVER.includes(error.problem)) throw error
  }

  /** @returns null for a mail that is gone */
  async function fetchOne(listed: ListedMail): Promise<FetchedMail | null> {
    const { id, size } = listed
    if ((size ?? 0) > MAX_MAIL || triesOf(listed) >= HEADERS_ONLY) return await source.fetchHeaders(listed)
    const mail = (await source.fetch([listed])).get(id)
    if (mail) return mail
    if (!(await source.isThere(listed))) return null
    throw new MailboxFailure('The mail server did not hand over a mail', 'answer')
  }

  /** While it does not, no mail is to blame. @throws as the database does */
  const assertDatabaseWorks = async () => await store.touch()

  /**
   * Looks at the last days once more: a server may name a mail so that it is never seen as new, and one that was passed over may not
   * fail again. One that does is passed over once more, and keeps none of the others.
   */
  async function reconcile({ is_restarted, passed_over }: MailboxRow): Promise<void> {
    const now = clock().getTime()
    // What counts as new, the mailbox knows.
    const since = is_restarted === 1 ? 0 : now - (passed_over > 0 ? RECONCILED_WHILE_MISSING : RECONCILED)
    const missing = new Set<string>()
    for await (const ids of source.listSince(new Date(since))) {
      const known = await session.findKnown([...ids.values()].filter(id => id !== null))
      const unknown = [...ids].filter(([, id]) => !known.has(id ?? '')).map(([mail]) => mail)
      // What ended the connection each time is left for the next comparison.
      const hopeless = unknown.filter(mail => triesOf(mail) >= GIVE_UP)
      for (const { id } of hopeless) missing.add(id)
      for (const batch of batchesOf(unknown.filter(({ id }) => !missing.has(id))))
        await take(batch, isEarlier, async (mail, error) => {
          missing.add(mail.id)
          logPassedOver(mail, error)
        })
    }
    for (const id of missing) if ((tries.get(id) ?? 0) >= GIVE_UP) tries.delete(id)
    // At the end, so that it is begun again when it was ended before.
    const reconciled_at = new Date(now).toISOString()
    await store.update({ reconciled_at, passed_over: missing.size, is_restarted: 0 })
  }

  /** Whether the last days are to be looked at once more. */
  function isReconciliationDue({ reconciled_at: last, passed_over, is_restarted }: MailboxRow): boolean {
    const every = passed_over > 0 ? RECONCILE_SOON : RECONCILE_EVERY
    return is_restarted === 1 || clock().getTime() - Date.parse(last ?? row.connected_at) >= every
  }

  /** Imports a few earlier mails, oldest first, so that a conversation begins with its beginning. @returns whether there are more */
  async function importSome(current: MailboxRow): Promise<boolean> {
    if (current.import_state !== 'running') return false
    const from = current.import_from ? new Date(current.import_from) : null
    if (current.import_total === 0) await store.update({ import_total: await source.countEarlier(from) })
    const found = await source.listEarlier(current.import_uid, from)
    if (!found) {
      await store.update({ import_state: 'done', import_total: current.import_done })
      log('info', 'EmailService', 'Earlier mail imported', { mails: current.import_done })
      return false
    }
    for (const batch of batchesOf(found.mails)) await takeOnce(batch, () => true, stored.earlier)
    stored.earlier.clear()
    const { import_from, import_uid } = await session.readRow()
    // It was stopped meanwhile, and another one was begun, which goes on from its own beginning.
    if (import_from !== current.import_from || import_uid !== current.import_uid) return true
    await store.update({ import_uid: found.cursor, import_done: current.import_done + found.count })
    return true
  }

  return {
    /** Fetches until the mailbox is to be let go of. @param wait until there may be something new */
    async run(wait: (time: number) => Promise<void>, poll: number) {
      let looked = Number.NEGATIVE_INFINITY
      await source.begin()
      for (;;) {
        signal.throwIfAborted()
        // While earlier mail is imported, new mail is not kept waiting, and is not asked for all the time.
        if (source.hasNews || performance.now() - looked >= Math.min(poll, LOOK)) {
          const count = await fetchNew()
          await store.update({ last_fetched_at: isoAfter(clock) })
          if (count > 0) log('info', 'EmailService', 'Mail fetched', { mails: count })
          looked = performance.now()
        }
        const current = await session.readRow()
        if (isReconciliationDue(current)) await reconcile(current)
        // Not before: a comparison that fails each time is tried less and less often, too.
        if (current.failures > 0) await store.succeeded()
        if (await importSome(current)) continue
        await wait(poll)
        looked = Number.NEGATIVE_INFINITY
      }
    },
  }
}

/** After these, no other mail can be fetched either. */
const OF_SERVER: readonly MailboxProblem[] = [
  ...(['consent', 'credentials', 'app', 'busy', 'connections'] as const),
  ...(['refused', 'unknown_host', 'certificate', 'certificate_name', 'encryption'] as const),
]
