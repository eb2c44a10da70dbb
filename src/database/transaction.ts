import type { Database } from './tables.ts'

/** A database in which everything is part of one transaction. */
export type Transaction = Database & TransactionEvents

interface TransactionEvents {
  /** Runs `work` once, when all other work is done and before the commit, in the transaction. Not after a failure. */
  beforeCommit(work: () => Promise<void>): void
  /** Runs `callback` once, when the work is stored and before anyone hears of it. Not at all when it is rolled back. */
  afterCommit(callback: () => void): void
  /** Runs `callback` once, when the work or its commit has failed. Not at all when it is stored. */
  afterRollback(callback: () => void): void
  /** Rolls the transaction back, whatever else its work does. */
  fail(reason: unknown): void
}

/**
 * Does `work` in one transaction: all that it changes is stored, or nothing. The callbacks of either outcome run in the
 * order in which they were added. One that throws keeps no other from running and changes no outcome: it is a bug,
 * which is printed as a warning. In a transaction, `work` joins it, so that it is stored or rolled back with the rest.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  if (isOpen(db)) return await join(db, work)
  const { events, throwFailure, finish, end } = collectCallbacks()
  try {
    const result = await db.transaction().execute(async transaction => {
      const done = await work(Object.assign(transaction, events))
      throwFailure()
      await finish()
      return done
    })
    end('commit')
    return result
  } catch (error) {
    end('rollback')
    throw error
  }
}

/** Whether what is done with it joins a transaction. */
export function isOpen(db: Database): db is Transaction {
  return 'afterCommit' in db
}

/** Half of what it did must not be stored because somebody catches its error. */
async function join<Result>(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(transaction)
  } catch (error) {
    transaction.fail(error)
    throw error
  }
}

function collectCallbacks() {
  const callbacks: Record<'commit' | 'rollback', (() => void)[]> = { commit: [], rollback: [] }
  const lastWork: (() => Promise<void>)[] = []
  let failure: { readonly reason: unknown } | null = null
  let hasEnded = false

  function add(outcome: 'commit' | 'rollback', callback: () => void) {
    // It would never run.
    if (hasEnded) throw new Error(`The transaction has ended, so nothing can wait for its ${outcome}`)
    callbacks[outcome].push(callback)
  }

  return {
    events: {
      beforeCommit: (work: () => Promise<void>) => void lastWork.push(work),
      afterCommit: (callback: () => void) => add('commit', callback),
      afterRollback: (callback: () => void) => add('rollback', callback),
      fail(reason: unknown) {
        failure ??= { reason }
      },
    },
    throwFailure() {
      if (failure) throw failure.reason
    },
    async finish() {
      for (const work of lastWork) await work()
    },
    end(outcome: 'commit' | 'rollback') {
      hasEnded = true
      for (const callback of callbacks[outcome]) runSafely(callback)
    },
  }
}

function runSafely(callback: () => void) {
  try {
    callback()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/** PostgreSQL: connection lost, out of resources, shutting down, no such database, cancelled by its time-out. */
const postgresCodes = /^(08...|53...|57P0.|57014|3D000)$/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])
/** SQLite result codes: BUSY, IOERR, FULL, CANTOPEN. */
const sqliteCodes = new Set([5, 10, 13, 14])
const driverMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout/

/** Whether the database is unavailable for now. The caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const isRefused = typeof code === 'string' && (postgresCodes.test(code) || networkCodes.has(code))
  const sqliteCode = 'errcode' in error ? error.errcode : undefined
  // The low byte is the result code, the rest says more of it.
  const isStuck = typeof sqliteCode === 'number' && sqliteCodes.has(sqliteCode & 0xff)
  return isRefused || isStuck || driverMessages.test(error.message)
}
