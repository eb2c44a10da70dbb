import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxRow } from '../../database/mail-in-tables.ts'
import { days, MAX_CLOCK_SKEW, seconds } from '../../platform/clock.ts'
import {
  ARRIVED,
  type EarlierMails,
  type FetchedMail,
  headersOf,
  IMPORTED,
  LISTED,
  type ListedMail,
  MAX_HEADERS,
  MAX_MAIL,
  type MailSource,
} from '../mail-source.ts'
import type { Mailboxes } from '../mailboxes.ts'
import type { Graph, GraphMail, GraphPage } from './graph.ts'
import { type Answer, type Pace, strangeFailure } from './request.ts'

/** Microsoft announces nothing to a server that it cannot reach, so it is asked. */
const POLL = seconds(20)
/** How far back changes are asked for at first. Of a longer time, all mails are compared with what is stored. */
const RECENT = days(3)

const FIELDS = '$select=receivedDateTime,internetMessageId'

type Pages = AsyncGenerator<readonly GraphMail[], void>

interface Place {
  readonly store: Pick<Mailboxes, 'update'>
  /** Before the connection. */
  readonly row: MailboxRow
}

/** Reads the inbox of a mailbox at Microsoft by what has changed since the last time. */
export function graphSource(graph: Graph, { store, row }: Place, { clock }: Pick<Pace, 'clock'>) {
  /** What came earlier is earlier mail. Ten minutes of that may count as new, so that clocks which differ lose none. */
  let connected = Date.parse(row.connected_at) - MAX_CLOCK_SKEW
  const openedAt = clock().getTime()
  let link = row.delta_link !== null && kindOf(row.delta_link) === kindOf(graph.inbox) ? row.delta_link : null
  /** Whether Microsoft said it in an earlier session. */
  let isOld = true
  /** What is asked for first. */
  let begun: string | null = null
  /** The pages of earlier mails that come after a cursor. */
  let earlier: { readonly cursor: string; readonly pages: Pages } | null = null

  const toListed = (mail: GraphMail): ListedMail => ({
    ...{ id: mail.id, size: null },
    receivedAt: receivedAt(mail, openedAt),
  })
  const withIds = (mails: readonly GraphMail[]) =>
    new Map(mails.map(mail => [toListed(mail), messageIdOf(mail)]))
  const list = (filter: string, order: 'asc' | 'desc', count: number) =>
    `${graph.inbox}?$filter=${encodeURIComponent(filter)}&$orderby=receivedDateTime%20${order}&$top=${count}&${FIELDS}`

  /** A clock that was ahead when the mailbox was connected must not keep mail out. A day is enough for a wrong time zone. */
  async function begin() {
    const ours = Date.parse(row.connected_at)
    const theirs = Math.max(ours - days(1), graph.answeredAt() ?? ours)
    if (row.delta_link !== null || theirs >= ours) return
    connected = theirs - MAX_CLOCK_SKEW
    await store.update({ connected_at: new Date(theirs).toISOString() })
  }

  /** Begins again. @returns whether all mail is to be compared first: some may have come before the first changes */
  async function beginAgain(): Promise<boolean> {
    const recent = clock().getTime() - RECENT
    const isRestarted = recent > connected
    const filter = encodeURIComponent(since(Math.max(connected, recent)))
    begun = `${graph.inbox}/delta?changeType=created&$filter=${filter}&${FIELDS}`
    link = begun
    isOld = false
    await store.update({ delta_link: link, ...(isRestarted && { is_restarted: 1 }) })
    return isRestarted
  }

  async function* listNew() {
    const once = createOnce()
    if (link === null && (await beginAgain())) return
    for (;;) {
      const path = once(link ?? strange())
      const page = await graph.readPage(path, isOld)
      if (!page) {
        // It must remember what it has just said.
        if (path === begun) throw strangeFailure()
        if (await beginAgain()) return
        continue
      }
      isOld = false
      for (const mail of page.mails.map(toListed).toSorted(byTime)) yield [mail]
      link = page.next ?? page.delta ?? strange()
      await store.update({ delta_link: link })
      if (page.next === null) return
    }
  }

  /**
   * Mails from a time on, the oldest first. Each page begins with the second in which the one before has ended: Microsoft's own next
   * page leaves out a number of mails, which is wrong once somebody has moved some away. It is followed within a second only.
   */
  async function* pagesFrom(time: number, filterOf: (time: number) => string, count: number): Pages {
    const once = createOnce()
    let from = time
    let before = new Set<string>()
    let path: string | null = list(filterOf(from), 'asc', count)
    while (path !== null) {
      const page: GraphPage = (await graph.readPage(once(path))) ?? strange()
      const mails = page.mails.filter(({ id }) => !before.has(id))
      if (mails.length > 0) yield mails
      const last = Date.parse(page.mails.at(-1)?.receivedDateTime ?? '')
      const isLater = wholeSeconds(last) > wholeSeconds(from)
      path = page.next && isLater ? list(filterOf(last), 'asc', count) : page.next
      from = isLater ? last : from
      before = new Set(page.mails.map(({ id }) => id))
    }
  }

  async function* listSince(time: Date) {
    for await (const mails of pagesFrom(Math.max(connected, time.getTime()), since, LISTED))
      yield withIds(mails)
  }

  const earlierFilter = (from: number) => `receivedDateTime lt ${odataTime(connected)} and ${since(from)}`

  async function listEarlier(cursor: string | null, from: Date | null): Promise<EarlierMails | null> {
    // A place is a time, as it may be from before this connection.
    const place = cursor === '0' ? Number.NaN : Date.parse(cursor ?? '')
    const first = Number.isNaN(place) ? (from?.getTime() ?? 0) : place
    const isNext = earlier !== null && earlier.cursor === cursor
    const pages = (isNext && earlier?.pages) || pagesFrom(first, earlierFilter, IMPORTED)
    earlier = null
    const page = await pages.next()
    if (page.done) return null
    const mails = page.value.map(toListed)
    earlier = { cursor: mails.at(-1)?.receivedAt ?? '', pages }
    return { mails, count: mails.length, cursor: earlier.cursor }
  }

  return {
    hasNews: false,
    isUsable: true,
    begin,
    listNew,
    listSince,
    async listArrived() {
      const page = await graph.readPage(list(since(openedAt - MAX_CLOCK_SKEW), 'desc', ARRIVED))
      return withIds((page ?? strange()).mails)
    },
    hasPassed: ({ last_fetched_at: last }, _mail, arrivedAt) => last !== null && last >= arrivedAt,
    async countEarlier(from) {
      const path = `${list(earlierFilter(from?.getTime() ?? 0), 'asc', 1)}&$count=true`
      return ((await graph.readPage(path)) ?? strange()).total
    },
    listEarlier,
    async fetch(mails) {
      const fetched = new Map<string, FetchedMail>()
      for (const { id, receivedAt } of mails) {
        const answer = await graph.readMail(id, MAX_MAIL)
        if (answer)
          fetched.set(id, answer.isCut ? headersAlone(answer, receivedAt) : { raw: answer.body, receivedAt })
      }
      return fetched
    },
    async fetchHeaders({ id, receivedAt }) {
      const answer = await graph.readMail(id, MAX_HEADERS)
      return answer && headersAlone(answer, receivedAt)
    },
    isThere: async ({ id }) => await graph.hasMail(id),
    async waitForNews(time, wake) {
      await sleep(Math.min(time, POLL), undefined, { signal: wake, ref: false }).catch(() => {})
    },
    close: async () => {},
  } satisfies MailSource
}

/** Without what follows the headers. Where nobody says how large the mail is, it is as large as what has come. */
function headersAlone({ headers, body }: Answer, receivedAt: string): FetchedMail {
  const raw = body.subarray(0, Buffer.byteLength(headersOf(body), 'latin1'))
  const size = Number(headers.get('Content-Length') ?? body.length)
  return { raw, receivedAt, omitted: Math.max(1, size - raw.length) }
}

/** `/me` or `/users`: one address may be that of a person, and later that of a shared mailbox. What follows Microsoft writes in its own way. */
const kindOf = (path: string) => /^\/\w*/.exec(path)?.[0]

const byTime = (one: ListedMail, other: ListedMail) => one.receivedAt.localeCompare(other.receivedAt)

const since = (time: number) => `receivedDateTime ge ${odataTime(time)}`

/** As Outlook compares. */
const wholeSeconds = (time: number) => Math.floor(time / seconds(1))
const odataTime = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

/** Passes on each path once: a page that leads back to one before would be read for ever. */
function createOnce() {
  const asked = new Set<string>()
  return (path: string): string => {
    if (asked.has(path)) throw strangeFailure()
    asked.add(path)
    return path
  }
}

/** A server may say anything here. */
function receivedAt({ receivedDateTime }: GraphMail, now: number): string {
  const time = new Date(receivedDateTime ?? Number.NaN)
  const year = time.getUTCFullYear()
  return (year >= 1970 && year < 10_000 ? time : new Date(now)).toISOString()
}

/** As it is compared. */
function messageIdOf(mail: GraphMail | undefined): string | null {
  return /^\s*(<[^<>\s]{1,995}>)\s*$/.exec(mail?.internetMessageId ?? '')?.[1] ?? null
}

function strange(): never {
  throw strangeFailure()
}
