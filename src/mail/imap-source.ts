import type { MailboxRow } from '../database/mail-in-tables.ts'
import { days, MAX_CLOCK_SKEW } from '../platform/clock.ts'
import type { ImapMail, Mailbox } from './imap.ts'
import {
  ARRIVED,
  batchesOf,
  type EarlierMails,
  IMPORTED,
  LISTED,
  type ListedMail,
  type MailSource,
} from './mail-source.ts'
import type { Mailboxes, Position } from './mailboxes.ts'

/** Reads a mailbox by the numbers of its mails. @param row before the connection */
export function imapSource(mailbox: Mailbox, store: Pick<Mailboxes, 'begin' | 'saveLast'>, row: MailboxRow) {
  const connectedAt = Date.parse(row.connected_at)
  const arrivedFrom = mailbox.uidNext
  let position: Position = { first: 1, last: 0, isRenumbered: false }
  let queue: Queue = { uids: [], cursor: '', from: null }

  const list = async (uids: readonly number[]) => (await mailbox.list(uids)).map(toListed)
  /** Whether it came after the mailbox was connected. */
  const isOurs = (mail: ListedMail) =>
    uidOf(mail) >= position.first || (position.isRenumbered && timeOf(mail) >= connectedAt - MAX_CLOCK_SKEW)

  /** The new numbers, lowest first. After a change of all numbers, those since the mailbox was connected. */
  async function findNew(): Promise<number[]> {
    const { first, last } = position
    const since = new Date(connectedAt - days(2))
    const again = await mailbox.search({ first: last + 1, last: first - 1, since })
    return [...again, ...(await mailbox.search({ first: Math.max(first, last + 1) }))]
  }

  async function moveTo(last = 0) {
    if (last <= position.last) return
    await store.saveLast(last)
    position = { ...position, last }
  }

  async function* listNew() {
    for (const uids of chunksOf(await findNew(), LISTED)) {
      for (const batch of batchesOf((await list(uids)).filter(isOurs))) {
        yield batch
        await moveTo(Number(batch.at(-1)?.id))
      }
      await moveTo(uids.at(-1))
    }
  }

  async function* listSince(time: Date) {
    const since = new Date(time.getTime() - days(1))
    for (const uids of chunksOf(await mailbox.search({ first: 1, last: position.last, since }), LISTED)) {
      const ids = await mailbox.messageIds(uids)
      const listed = (await list(uids)).filter(mail => isOurs(mail) && timeOf(mail) > time.getTime())
      yield new Map(listed.map(mail => [mail, ids.get(uidOf(mail)) ?? null]))
    }
  }

  /** The earlier mails after a cursor. */
  const searchEarlier = async (cursor: string | null, from: Date | null) =>
    await mailbox.search({
      first: Number(cursor ?? 0) + 1,
      last: position.first - 1,
      ...(from && { since: new Date(from.getTime() - days(1)) }),
    })

  async function listEarlier(cursor: string | null, from: Date | null): Promise<EarlierMails | null> {
    // Another import may have begun where this one is.
    const isNext = queue.cursor === cursor && queue.from?.getTime() === from?.getTime()
    const uids = isNext ? queue.uids : (await searchEarlier(cursor, from)).reverse()
    if (uids.length === 0) return null
    const now = uids.splice(-IMPORTED).reverse()
    queue = { uids, cursor: String(now.at(-1)), from }
    const mails = (await list(now)).filter(mail => !isOurs(mail) && (!from || timeOf(mail) >= from.getTime()))
    return { mails, count: now.length, cursor: String(now.at(-1)) }
  }

  return {
    get hasNews() {
      return mailbox.hasNews
    },
    get isUsable() {
      return mailbox.isUsable
    },
    async begin() {
      position = await store.begin(row, mailbox)
    },
    listNew,
    listSince,
    async listArrived() {
      const uids = (await mailbox.search({ first: arrivedFrom })).slice(-ARRIVED)
      const ids = await mailbox.messageIds(uids)
      return new Map((await list(uids)).map(mail => [mail, ids.get(uidOf(mail)) ?? null]))
    },
    hasPassed: ({ last_uid: last }, mail) => Number(last ?? 0) >= uidOf(mail),
    countEarlier: async from => (await searchEarlier(null, from)).length,
    listEarlier,
    async fetch(mails) {
      const fetched = await mailbox.fetch(mails.map(toImap))
      return new Map([...fetched].map(([uid, mail]) => [String(uid), mail]))
    },
    fetchHeaders: async mail => await mailbox.fetchHeaders(toImap(mail)),
    isThere: async mail => (await mailbox.list([uidOf(mail)])).length > 0,
    waitForNews: mailbox.waitForNews,
    close: mailbox.close,
  } satisfies MailSource
}

/** The earlier mails that were found and not listed yet, the last one first, and where they were searched. */
interface Queue {
  readonly uids: number[]
  readonly cursor: string | null
  readonly from: Date | null
}

const toListed = ({ uid, ...mail }: ImapMail): ListedMail => ({ id: String(uid), ...mail })
const toImap = ({ id, size, receivedAt }: ListedMail): ImapMail => ({
  uid: Number(id),
  size: size ?? 0,
  receivedAt,
})
const uidOf = ({ id }: ListedMail) => Number(id)
const timeOf = ({ receivedAt }: ListedMail) => Date.parse(receivedAt)

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
