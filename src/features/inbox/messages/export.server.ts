import { sql } from 'kysely'
import type { Database } from '../../../database/tables.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { detailLabels, messageTypeLabels, serviceLabels } from '../../../i18n/texts.ts'
import { createFairLimit } from '../../../platform/turns.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import { reached } from '../history/entries.server.ts'
import { describeVerification, statusLabels } from '../list/format.ts'
import { findPage, type ListFilter } from './list.server.ts'
import { type ShownMessage, selectMessages } from './select-messages.server.ts'

/** Messages that one step finds. */
const PAGE_SIZE = 100
/** Of these, the messages that are in memory at a time: the longest that visitors can write take about 10 ms. */
const READ_AT_ONCE = 10

/** Of all exports of a process: everybody else waits no longer than for two steps. */
const limitSteps = createFairLimit(2)
/** Files that one person downloads at a time: each is a few hundred kilobytes in memory while its client reads slowly. */
const MAX_OPEN = 5
const tooManyOpen = 'You are downloading five exports already. Wait until one of them has ended.'
/** By person. */
const openFiles = new Map<string, number>()

/** What a row of the file says. */
interface Row extends ShownMessage {
  readonly answers: Answers
  readonly toTime: (iso: string | null) => string
}

const noticeLabels = {
  sent: 'Sent',
  kept: 'Stays on the server',
  waiting: 'Not sent yet',
  failed: 'Could not be sent',
}

const columns: Readonly<Record<string, (row: Row) => string>> = {
  Reference: ({ message }) => message.reference,
  Received: ({ message, toTime }) => toTime(message.createdAt),
  Name: ({ message }) => message.name,
  Email: ({ message }) => message.email,
  Phone: ({ message }) => toShownPhone(message.phone ?? ''),
  Type: ({ message }) => messageTypeLabels[message.formType],
  Service: ({ message }) => (message.service ? serviceLabels[message.service] : ''),
  Status: ({ message }) => statusLabels[message.status],
  'Assigned to': ({ message }) => message.assignee?.name ?? '',
  Tags: ({ message }) => message.tags.join(', '),
  Replies: ({ answers }) => String(answers.replies),
  'First answer': ({ answers, toTime }) => toTime(answers.first),
  'Snoozed until': ({ message, toTime }) => toTime(message.snoozedUntil),
  'Reply due': ({ message, toTime }) => toTime(message.dueAt),
  'Last activity': ({ message, toTime }) => toTime(message.lastActivityAt),
  Read: ({ message }) => (message.isRead ? 'Yes' : 'No'),
  'Bot check': ({ message }) => describeVerification(message.verification),
  'Email to staff': describeNotice,
  Message: ({ message }) => message.message,
  Details: ({ message }) =>
    describeDetails(message.details, detailLabels)
      .map(([label, answer]) => `${label}: ${answer}`)
      .join('\n'),
}

function describeNotice({ message, letterError: error }: Row): string {
  const { letter: state } = message
  // Of one that was sent, the error says that it has reached nobody.
  return state ? noticeLabels[state === 'sent' && error ? 'kept' : state] : ''
}

/** Writes a time as the clock of the office shows it, with its offset: `2026-11-23 22:17 +11:00`. */
function timesIn(timeZone: string) {
  const clockOf = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  return (iso: string | null): string => {
    if (iso === null) return ''
    const moment = new Date(iso)
    const clock = clockOf.format(moment)
    const minute = Math.floor(moment.getTime() / 60_000)
    const ahead = Date.parse(`${clock.replace(' ', 'T')}Z`) / 60_000 - minute
    const part = (value: number) => `${Math.floor(value)}`.padStart(2, '0')
    const offset = `${part(Math.abs(ahead) / 60)}:${part(Math.abs(ahead) % 60)}`
    return `${clock} ${ahead < 0 ? '-' : '+'}${offset}`
  }
}

/** Country codes of one and two digits; all others have three. */
const COUNTRY =
  /^(?:\+|00)\s*\(?(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)\)?[\s.-]*/

/** `+61412345678` as `(+61) 412 345 678`: a spreadsheet takes it for no formula, and for no number that loses its zero. */
function toShownPhone(phone: string): string {
  const [prefix = '', country] = COUNTRY.exec(phone) ?? []
  const rest = phone.slice(prefix.length)
  const shown = /^\d{6,}$/.test(rest) ? inGroups(rest) : rest
  return country ? `(+${country}) ${shown}` : shown
}

/** Of three digits, the first ones of four where the number begins with a zero. */
function inGroups(digits: string): string {
  const head = digits.startsWith('0') ? 4 : 3
  return [digits.slice(0, head), ...(digits.slice(head).match(/\d{3}(?!\d$)|\d+/g) ?? [])].join(' ')
}

/** What was answered in a conversation, by email or by phone. */
interface Answers {
  readonly replies: number
  readonly first: string | null
}

const NONE: Answers = { replies: 0, first: null }

/** Of these messages and what is merged into them. A reply that failed has answered nobody. */
async function readAnswers(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Answers>> {
  if (ids.length === 0) return new Map()
  const kept = sql<string>`coalesce(messages.merged_into, messages.id)`
  const isReply = sql<number>`case when entries.kind = 'reply' then 1 else 0 end`
  const rows = await db
    .selectFrom('messages')
    .innerJoin('entries', 'entries.message_id', 'messages.id')
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select(eb => [
      kept.as('id'),
      eb.fn.sum<number | string>(isReply).as('replies'),
      eb.fn.min('entries.created_at').as('first'),
    ])
    .where(eb => {
      const isMerged = eb.and([eb('merged_into', 'in', ids), eb('merged_into', 'is not', null)])
      return eb.or([eb('messages.id', 'in', ids), isMerged])
    })
    .where('entries.kind', 'in', ['reply', 'call'])
    .where(reached('entries.call_outcome'))
    .where(eb => eb(eb.fn.coalesce('outbox.state', eb.val('sent')), '!=', 'failed'))
    .groupBy(kept)
    .execute()
  return new Map(rows.map(({ id, replies, first }) => [id, { replies: Number(replies), first }]))
}

interface End {
  readonly count: number
  /** Nothing when all was sent or the client has gone. */
  readonly error?: unknown
  readonly isComplete: boolean
}

/**
 * The messages that match as CSV, newest first. Reads the next messages when the client has taken those before them, and
 * nothing more once it has gone. What arrives meanwhile is not included. @param isAllowed asked before each step
 * @throws {HttpError} 429
 */
export function exportMessages(
  db: Database,
  { timeZone, ...filter }: ListFilter & { readonly timeZone: string },
  isAllowed: () => Promise<boolean>,
  onEnd: (end: End) => void,
): ReadableStream<Uint8Array> {
  const { userId } = filter
  const countOpen = () => openFiles.get(userId) ?? 0
  if (countOpen() >= MAX_OPEN) throwHttpError(429, tooManyOpen, { retryAfter: 10 })
  const encoder = new TextEncoder()
  const toTime = timesIn(timeZone)
  let count = 0

  async function* lines(): AsyncGenerator<string, void> {
    yield BYTE_ORDER_MARK + toCsvLine(Object.keys(columns))
    let from: string | undefined
    do {
      const listed = { ...filter, isForExport: true } as const
      const { found, next } = await findPage(db, listed, { from, towards: 'older' }, PAGE_SIZE)
      const ids = found.map(({ id }) => id)
      const answers = await readAnswers(db, ids)
      await letOthersBeServed()
      for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
        if (!(await isAllowed())) throwHttpError(403, "You don't have permission to do this")
        const shown = await selectMessages(db, ids.slice(at, at + READ_AT_ONCE))
        count += shown.length
        const lineOf = (row: ShownMessage) =>
          toLine({ ...row, toTime, answers: answers.get(row.message.id) ?? NONE })
        yield shown.map(lineOf).join('')
      }
      from = next ?? undefined
      await letOthersBeServed()
    } while (from !== undefined)
  }

  const steps = lines()
  let isOpen = false
  let isCancelled = false
  function end(outcome: Omit<End, 'count'>) {
    if (isOpen) openFiles.set(userId, countOpen() - 1)
    onEnd({ count, ...outcome })
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (!isOpen) openFiles.set(userId, countOpen() + 1)
          isOpen = true
          await letOthersBeServed()
          const { value, done } = await limitSteps(userId, () => steps.next())
          if (isCancelled) return
          if (value) controller.enqueue(encoder.encode(value))
          if (!done) return
          controller.close()
          end({ isComplete: true })
        } catch (error) {
          if (isCancelled) return
          controller.error(error)
          end({ isComplete: false, error })
        }
      },
      cancel() {
        isCancelled = true
        end({ isComplete: false })
      },
    },
    // Nothing is read before somebody asks: a HEAD request never does.
    { highWaterMark: 0 },
  )
}

/** On SQLite nothing waits for anything else. */
const letOthersBeServed = () => new Promise(resolve => setImmediate(resolve))

function toLine(row: Row): string {
  return toCsvLine(Object.values(columns).map(cell => cell(row)))
}

/** Excel takes a file without it for one in the alphabet of the computer. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * The beginning of a cell that a spreadsheet may calculate instead of showing it, also after white space, quotation marks
 * and invisible characters, which some of them drop first.
 */
const FORMULA = /^[\s\p{C}"]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** The same where a program that splits at semicolons, tabs or lines, also within quotes, sees the beginning of a cell. */
const FORMULA_INSIDE = /([;\t\r\n])(?=(?:(?![;\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠])/gu

/** Nothing that anybody writes, and not accepted by every program. */
const CONTROLS = /[\p{Cc}--[\t\n\r]]/gv

/** One line of a CSV file (RFC 4180). Every cell is quoted, so that none of its characters ends it. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`
}

function quote(text: string): string {
  const shown = text.replace(CONTROLS, '')
  const inside = shown.replace(FORMULA_INSIDE, "$1'")
  const safe = FORMULA.test(shown) ? `'${inside}` : inside
  return `"${safe.replaceAll('"', '""').replaceAll('\r\n', '\n')}"`
}
