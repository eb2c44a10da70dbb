import { type Clock, isoAfter } from './clock.ts'

/** Level and source are the vocabulary of the System Logs screen. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical'
export type LogSource = 'FormService' | 'EmailService' | 'API' | 'Auth'

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

/** Writes one line; `details` never holds a secret, a code or a visitor's text. */
export type Log = (level: LogLevel, source: LogSource, message: string, details?: Details) => void

/** One JSON object a line. JSON escapes control characters, so a hostile value cannot forge a second line. */
export function jsonLinesLog(write: (line: string) => void, clock: Clock): Log {
  return (level, source, message, details) => {
    write(`${JSON.stringify({ time: isoAfter(clock), level, source, message, ...details })}\n`)
  }
}

/** A log whose lines say where they come from, unless a line says so itself. */
export function logFrom(log: Log, origin: Origin): Log {
  return (level, source, message, details) => log(level, source, message, { ...origin, ...details })
}

/** What an operator needs of an unexpected error. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack ? { error: error.message, stack: error.stack } : { error: error.message }
}
