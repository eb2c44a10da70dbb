import type { Database } from '../../database/tables.ts'
import { messageTypeLabels } from '../../i18n/texts.ts'
import type { Message } from './contract.ts'
import { BYTE_ORDER_MARK, toCsvLine } from './csv.server.ts'
import type { ListFilter } from './filter.server.ts'
import { listMessages } from './read.server.ts'

/** Messages that are in memory at a time: a few milliseconds' work, also when texts are long. */
const PAGE_SIZE = 100

const columns: Readonly<Record<string, (message: Message) => string>> = {
  Reference: message => message.reference,
  'Received (UTC)': message => toTime(message.createdAt),
  Name: message => message.name,
  Email: message => message.email,
  Phone: message => message.phone ?? '',
  Type: message => messageTypeLabels[message.formType],
  Service: message => message.service ?? '',
  Status: message => message.status,
  'Assigned to': message => message.assignee?.name ?? '',
  Tags: message => message.tags.join(', '),
  'Snoozed until (UTC)': message => toTime(message.snoozedUntil),
  'Reply due (UTC)': message => toTime(message.dueAt),
  'Last activity (UTC)': message => toTime(message.lastActivityAt),
  Read: message => (message.isRead ? 'yes' : 'no'),
  'Bot check': message => message.verification,
  'Email to staff': message => message.letter ?? '',
  Message: message => message.message,
  Details: message =>
    Object.entries(message.details)
      .map(([name, answer]) => `${name}: ${answer}`)
      .join('\n'),
}

/** A time as spreadsheets read it. */
function toTime(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 19).replace('T', ' ')
}

interface End {
  readonly count: number
  /** Nothing when all was sent or the client has gone. */
  readonly error?: unknown
  readonly isComplete: boolean
}

/**
 * The messages that match as CSV, newest first. Reads the next page when the client has taken the one before it, and
 * nothing more once it has gone. What arrives meanwhile is not included.
 */
export function exportMessages(
  db: Database,
  filter: ListFilter,
  onEnd: (end: End) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let count = 0
  let cursor: string | undefined
  let isBegun = false

  async function nextLines(): Promise<string> {
    if (!isBegun) {
      isBegun = true
      return BYTE_ORDER_MARK + toCsvLine(Object.keys(columns))
    }
    const { messages, nextCursor } = await listMessages(db, filter, { limit: PAGE_SIZE, cursor })
    cursor = nextCursor ?? undefined
    count += messages.length
    return messages.map(message => toCsvLine(Object.values(columns).map(cell => cell(message)))).join('')
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          // A page without a match gives nothing to send, and the stream asks only once.
          for (let lines = ''; lines === ''; ) {
            // On SQLite nothing waits for anything else.
            await new Promise(resolve => setImmediate(resolve))
            const isFirst = !isBegun
            lines = await nextLines()
            if (lines) controller.enqueue(encoder.encode(lines))
            if (isFirst || cursor !== undefined) continue
            controller.close()
            return onEnd({ count, isComplete: true })
          }
        } catch (error) {
          controller.error(error)
          onEnd({ count, isComplete: false, error })
        }
      },
      cancel: () => onEnd({ count, isComplete: false }),
    },
    // Nothing is read before somebody asks: a HEAD request never does.
    { highWaterMark: 0 },
  )
}
