import { type Clock, isoAfter } from './clock.ts'
import { idsInOrder } from './database/id.ts'
import type { Database } from './database/tables.ts'
import { clip, clipText } from './log-details.ts'
import type { LogLevel, LogSource } from './log-levels.ts'
import { escapeControls } from './terminal.ts'

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

type Told = [level: LogLevel, source: LogSource, message: string, details?: Details]

/**
 * Prints a line, and keeps it for the System Logs screen unless it is only for debugging. Never fails or waits;
 * `details` never hold a secret, a code or a visitor's text.
 */
export type Log = (...told: Told) => void

/** A log that can also be part of the work that it tells of. */
export interface AuditLog extends Log {
  /**
   * Keeps the line in the transaction that it tells of, so that both are there or neither.
   * @returns prints it; call it once the transaction has committed.
   */
  within(transaction: Database, ...told: Told): Promise<() => void>
}

/** What a line says, clipped and clean. */
export interface Line {
  readonly id: string
  readonly time: string
  readonly level: LogLevel
  readonly source: LogSource
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Where lines are kept beside the console. */
export interface LogBook {
  /** Takes a line for later. Never throws. */
  keep(line: Line): void
  /** Writes a line now, in this transaction. */
  write(transaction: Database, line: Line): Promise<void>
}

/** Characters; every message of the product is shorter. */
const LONGEST_MESSAGE = 500

/** One JSON object a line on the console, and the same in a book. */
export function openLog(print: (text: string) => void, clock: Clock, book: LogBook): AuditLog {
  const nextId = idsInOrder()

  function compose(...[level, source, message, details = {}]: Told): Line {
    const id = nextId(clock())
    return {
      id,
      time: isoAfter(clock),
      level,
      source,
      message: clipText(message, LONGEST_MESSAGE),
      details: clip(details),
    }
  }

  function log(...told: Told) {
    const line = compose(...told)
    print(asJson(line))
    if (line.level !== 'debug') book.keep(line)
  }

  async function within(transaction: Database, ...told: Told) {
    const line = compose(...told)
    await book.write(transaction, line)
    return () => print(asJson(line))
  }

  return Object.assign(log, { within })
}

/** JSON escapes control characters of ASCII, so a hostile value cannot forge a second line; a terminal obeys others too. */
function asJson({ id: _, details, ...line }: Line): string {
  return `${escapeControls(JSON.stringify({ ...line, ...details }))}\n`
}

/** A log whose lines say where they come from, unless a line says so itself. */
export function logFrom(log: AuditLog, origin: Origin): AuditLog {
  const from = ([level, source, message, details]: Told): Told => [
    level,
    source,
    message,
    { ...origin, ...details },
  ]
  return Object.assign((...told: Told) => log(...from(told)), {
    within: async (transaction: Database, ...told: Told) => await log.within(transaction, ...from(told)),
  })
}

/** What an operator needs of an unexpected error. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack ? { error: error.message, stack: error.stack } : { error: error.message }
}
