import { type Clock, isoAfter } from './clock.ts'

/** Level and source are the vocabulary of the System Logs screen. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical'
export type LogSource = 'FormService' | 'EmailService' | 'API' | 'Auth'

/** Beside the line's own fields, which they would otherwise overwrite. */
type Details = Record<string, unknown> & { [own in 'time' | 'level' | 'source' | 'message']?: never }

/** Writes one line; `details` never holds a secret, a code or a visitor's text. */
export type Log = (level: LogLevel, source: LogSource, message: string, details?: Details) => void

/** One JSON object a line. JSON escapes control characters, so a hostile value cannot forge a second line. */
export function jsonLinesLog(write: (line: string) => void, clock: Clock): Log {
  return (level, source, message, details) => {
    write(`${JSON.stringify({ time: isoAfter(clock), level, source, message, ...details })}\n`)
  }
}

/** What an operator needs of an unexpected error. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack ? { error: error.message, stack: error.stack } : { error: error.message }
}
