import { idsInOrder } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import type { Transaction } from '../database/transaction.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { escapeControls } from '../platform/terminal.ts'
import type { LogLevel, LogSource } from './levels.ts'
import { truncate, truncateText } from './truncate.ts'

/** The user and the request of an entry. The System Logs screen shows each separately. */
export interface Origin {
  readonly requestId?: string
  /** The user who acts; a user who is acted on goes under another name. */
  readonly userId?: string
  /** The API token with which the user's program acts. */
  readonly tokenId?: string
  readonly ipAddress?: string
  readonly userAgent?: string
}

/** Without the names of the entry's own fields, which they would overwrite. */
type Details = Origin & Record<string, unknown> & { [own in 'time' | 'level' | 'source' | 'message']?: never }

type LogArgs = [level: LogLevel, source: LogSource, message: string, details?: Details]

/**
 * Prints an entry, and stores it for the System Logs screen unless its level is `debug`. Never fails or waits. `details`
 * must never hold a secret, a code or a visitor's text.
 */
export type Log = (...args: LogArgs) => void

/** A log whose entries can be written in the transaction that they describe. */
export interface AuditLog extends Log {
  /**
   * Stores the entry in the transaction that it describes, so that either both are stored or neither. It is printed
   * after the commit.
   */
  within(transaction: Transaction, ...args: LogArgs): Promise<void>
}

/** An entry, truncated and safe to write. */
export interface LogRecord {
  readonly id: string
  readonly time: string
  readonly level: LogLevel
  readonly source: LogSource
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Where entries are stored, beside the console. */
export interface LogSink {
  /** Queues an entry. Never throws. */
  keep(entry: LogRecord): void
  /** Writes an entry now, in this transaction. */
  write(transaction: Database, entry: LogRecord): Promise<void>
}

/** Characters; every message of the product is shorter. */
const MAX_MESSAGE_LENGTH = 500

/** Creates a log that writes one JSON object per line on the console, and the same to a sink. */
export function createLogger(print: (text: string) => void, clock: Clock, sink: LogSink): AuditLog {
  const nextId = idsInOrder()

  function createEntry(...[level, source, message, details = {}]: LogArgs): LogRecord {
    const id = nextId(clock())
    return {
      id,
      time: isoAfter(clock),
      level,
      source,
      message: truncateText(message, MAX_MESSAGE_LENGTH),
      details: truncate(details),
    }
  }

  function log(...args: LogArgs) {
    const entry = createEntry(...args)
    print(toJsonLine(entry))
    if (entry.level !== 'debug') sink.keep(entry)
  }

  async function within(transaction: Transaction, ...args: LogArgs) {
    const entry = createEntry(...args)
    await sink.write(transaction, entry)
    transaction.afterCommit(() => print(toJsonLine(entry)))
  }

  return Object.assign(log, { within })
}

/** JSON escapes the control characters of ASCII, so a hostile value cannot forge a second line; terminals also obey others. */
function toJsonLine({ id: _, details, ...entry }: LogRecord): string {
  return `${escapeControls(JSON.stringify({ ...entry, ...details }))}\n`
}

/** A log that adds an origin to its entries; an entry can override it. */
export function logFrom(log: AuditLog, origin: Origin): AuditLog {
  const logOwn: Log = (level, source, message, details) =>
    log(level, source, message, { ...origin, ...details })
  const within: AuditLog['within'] = (transaction, level, source, message, details) =>
    log.within(transaction, level, source, message, { ...origin, ...details })
  return Object.assign(logOwn, { within })
}

/** The details of an unexpected error that an operator needs. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack ? { error: error.message, stack: error.stack } : { error: error.message }
}
