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

interface Place {
  readonly store: Pick<Mailboxes, 'update'>
  /** Before the connection. */
  readonly row: MailboxRow
}

/** Reads the inbox of a mailbox at Microsoft by what has changed since the last time. */
export function graphSource(graph: Graph, { store, row }: Place, { clock }: Pick<Pace, 'clock'>) {
  /** What came earlier is earlier mail. Ten minutes of that may count as new, so that clocks which differ lose none. */
  const connected = Date.parse(row.connected_at) - MAX_CLOCK_SKEW
  const openedAt = clock().getTime()
  let link = row.delta_link
  /** Where the earlier mails go on after a cursor; null after the last one. */
  let earlier: { readonly cursor: string; readonly next: string | null } | null = null

  const listed = ({ mails }: GraphPage): ListedMail[] =>
    mails.map(mail => ({ id: mail.id, size: null, receivedAt: receivedAt(mail, openedAt) }))
  const withIds = (page: GraphPage) => {
    const mails = listed(page)
    return new Map(mails.map((mail, at) => [mail, messageIdOf(page.mails[at])]))
  }
  const list = (filter: string, order: 'asc' | 'desc', count: number) =>
    `${graph.inbox}?$filter=${encodeURIComponent(filter)}&$orderby=receivedDateTime%20${order}&$top=${count}&${FIELDS}`

  /** Begins again. What may have come before the first changes is looked for among all mails. */
  async function beginAgain(): Promise<string> {
    const recent = clock().getTime() - RECENT
    await store.update({ delta_link: null, ...(recent > connected && { is_restarted: 1 }) })
    const filter = encodeURIComponent(since(Math.max(connected, recent)))
    return `${graph.inbox}/delta?changeType=created&$filter=${filter}&${FIELDS}`
  }

  async function* listNew() {
    let path = link ?? (await beginAgain())
    for (let isAgain = link === null; ; ) {
      const page = await graph.readPage(path)
      if (!page) {
        // It must remember what it has just said.
        if (isAgain) throw strangeFailure()
        isAgain = true
        path = await beginAgain()
        continue
      }
      for (const mail of listed(page)) yield [mail]
      const after = page.next ?? page.delta
      if (after === null || (page.next !== null && after === path)) throw strangeFailure()
      link = after
      await store.update({ delta_link: after })
      if (page.next === null) return
      path = after
    }
  }

  async function* listSince(time: Date) {
    let path: string | null = list(since(Math.max(connected, time.getTime())), 'asc', LISTED)
    while (path !== null) {
      const page: GraphPage = (await graph.readPage(path)) ?? strange()
      yield withIds(page)
      path = page.next
    }
  }

  const earlierFilter = (from: string | null) =>
    `receivedDateTime lt ${odataTime(connected)}${from ? ` and receivedDateTime ge ${odataTime(Date.parse(from))}` : ''}`

  async function listEarlier(cursor: string | null, from: Date | null): Promise<EarlierMails | null> {
    const isNext = earlier !== null && earlier.cursor === cursor
    if (isNext && earlier?.next === null) return null
    // A place from before this connection is a time.
    const place = Number.isNaN(Date.parse(cursor ?? '')) || cursor === '0' ? null : cursor
    const begin = list(earlierFilter(place ?? from?.toISOString() ?? null), 'asc', IMPORTED)
    const page = (await graph.readPage((isNext && earlier?.next) || begin)) ?? strange()
    const mails = listed(page)
    earlier = { cursor: mails.at(-1)?.receivedAt ?? cursor ?? '0', next: page.next }
    return { mails, count: mails.length, cursor: earlier.cursor }
  }

  return {
    hasNews: false,
    isUsable: true,
    begin: async () => {},
    listNew,
    listSince,
    async listArrived() {
      const page = await graph.readPage(list(since(openedAt - MAX_CLOCK_SKEW), 'desc', ARRIVED))
      return withIds(page ?? strange())
    },
    hasPassed: ({ last_fetched_at: last }, _mail, arrivedAt) => last !== null && last >= arrivedAt,
    async countEarlier(from) {
      const path = `${list(earlierFilter(from?.toISOString() ?? null), 'asc', 1)}&$count=true`
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

const since = (time: number) => `receivedDateTime ge ${odataTime(time)}`

/** In whole seconds, as Outlook compares. */
const odataTime = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

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
