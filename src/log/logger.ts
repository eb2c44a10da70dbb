import { type Clock, isoAfter } from '../clock.ts'
import { idsInOrder } from '../database/id.ts'
import type { Database } from '../database/tables.ts'
import { escapeControls } from '../terminal.ts'
import type { LogLevel, LogSource } from './levels.ts'
import { truncate, truncateText } from './truncate.ts'

/** Whom a line is about and which request it comes from; each has a place of its own on the screen. */
export interface Origin {
  readonly requestId?: string
  /** Of whoever acts; whom they act upon goes by a name of its own. */
  readonly userId?: string
  readonly ipAddress?: string
  readonly userAgent?: string
}

/** Beside the line's own fields, which they would otherwise overwrite. */
type Details = Origin & Record<string, unknown> & { [own in 'time' | 'level' | 'source' | 'message']?: never }

type LogArgs = [level: LogLevel, source: LogSource, message: string, details?: Details]

/**
 * Prints a line, and keeps it for the System Logs screen unless it is only for debugging. Never fails or waits;
 * `details` never hold a secret, a code or a visitor's text.
 */
export type Log = (...told: LogArgs) => void

/** A log that can also be part of the work that it tells of. */
export interface AuditLog extends Log {
  /**
   * Keeps the line in the transaction that it tells of, so that both are there or neither.
   * @returns prints it; call it once the transaction has committed.
   */
  within(transaction: Database, ...told: LogArgs): Promise<() => void>
}

/** What a line says, clipped and clean. */
export interface LogRecord {
  readonly id: string
  readonly time: string
  readonly level: LogLevel
  readonly source: LogSource
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Where lines are kept beside the console. */
export interface LogSink {
  /** Takes a line for later. Never throws. */
  keep(line: LogRecord): void
  /** Writes a line now, in this transaction. */
  write(transaction: Database, line: LogRecord): Promise<void>
}

/** Characters; every message of the product is shorter. */
const MAX_MESSAGE_LENGTH = 500

/** One JSON object a line on the console, and the same in a book. */
export function createLogger(print: (text: string) => void, clock: Clock, sink: LogSink): AuditLog {
  const nextId = idsInOrder()

  function compose(...[level, source, message, details = {}]: LogArgs): LogRecord {
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

  function log(...told: LogArgs) {
    const line = compose(...told)
    print(asJson(line))
    if (line.level !== 'debug') sink.keep(line)
  }

  async function within(transaction: Database, ...told: LogArgs) {
    const line = compose(...told)
    await sink.write(transaction, line)
    return () => print(asJson(line))
  }

  return Object.assign(log, { within })
}

/** JSON escapes control characters of ASCII, so a hostile value cannot forge a second line; a terminal obeys others too. */
function asJson({ id: _, details, ...line }: LogRecord): string {
  return `${escapeControls(JSON.stringify({ ...line, ...details }))}\n`
}

/** A log whose lines say where they come from, unless a line says so itself. */
export function logFrom(log: AuditLog, origin: Origin): AuditLog {
  const from = ([level, source, message, details]: LogArgs): LogArgs => [
    level,
    source,
    message,
    { ...origin, ...details },
  ]
  return Object.assign((...told: LogArgs) => log(...from(told)), {
    within: async (transaction: Database, ...told: LogArgs) => await log.within(transaction, ...from(told)),
  })
}

/** What an operator needs of an unexpected error. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack ? { error: error.message, stack: error.stack } : { error: error.message }
}
