import type { Database } from '../../database/tables.ts'
import { isUnavailable } from '../../database/transaction.ts'
import { createLogger, describeError, type LogRecord, type LogSink } from '../../log/logger.ts'
import { type Clock, seconds } from '../../platform/clock.ts'
import { insertEntries, insertEntry } from './store.server.ts'

/** Milliseconds. An entry is on the System Logs screen after this at the latest. */
export const WRITE_DELAY = 250
/** Milliseconds. An unavailable database is not tried four times a second. */
const RETRY_DELAY = seconds(1)
/** Past this, entries are only printed, so that memory stays bounded while the database is down. */
const MAX_WAITING = 1000
/** A batch of this size occupies SQLite's single writer for a few milliseconds. */
const BATCH_SIZE = 100

/**
 * A log whose entries are also stored in the database. They go to the console immediately and to the database in batches, so that no request waits for its own entries.
 * When the database rejects entries, this is logged once on the console, and in both places when it accepts them again.
 */
export function createDatabaseLogger(db: Database, clock: Clock, print: (text: string) => void) {
  const waiting: LogRecord[] = []
  let lost = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const log = createLogger(print, clock, {
    keep(entry) {
      if (waiting.length >= MAX_WAITING) return lose(1, { reason: 'too many entries wait' })
      waiting.push(entry)
      writeAfter(WRITE_DELAY)
    },
    write: insertEntry,
  })
  const consoleOnly = createLogger(print, clock, nowhere)

  function lose(count: number, why: Record<string, unknown>) {
    if (lost === 0) consoleOnly('error', 'API', 'Log entries not stored: database unavailable', why)
    lost += count
  }

  function writeAfter(milliseconds: number) {
    timer ??= setTimeout(() => void flush(), milliseconds).unref()
  }

  /** Writes waiting entries. Never fails; what the database does not accept now is tried again later. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(writeAll)
    return writing
  }

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE)
      try {
        await insertEntries(db, batch)
        waiting.splice(0, batch.length)
        logLost()
      } catch (error) {
        if (isUnavailable(error)) return writeAfter(RETRY_DELAY)
        waiting.splice(0, batch.length)
        lose(batch.length, describeError(error))
      }
    }
  }

  function logLost() {
    const count = lost
    lost = 0
    if (count > 0)
      log('warning', 'API', 'Log entries only printed: database was unavailable', {
        count,
      })
  }

  return { log, flush }
}

const nowhere: LogSink = { keep: () => {}, write: async () => {} }
