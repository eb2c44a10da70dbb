import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { seconds } from '../../platform/clock.ts'

/** More would save next to nothing of the commit and let the first of them wait for the last. */
const MAX_PARTICIPANTS = 100
const MAX_BATCH_TIME = seconds(0.02)

/**
 * To wait for the disk costs many times what a small transaction costs, so those that come together share one commit.
 * They run one after the other, never side by side, each under a savepoint: one that fails undoes its own work and
 * not its neighbours'. What each of them says, good or bad, is heard only once the commit is on disk, because it may
 * rest on what a neighbour wrote. A commit that fails fails all of them.
 */
export class GroupCommit {
  readonly #writer: Statements
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #isToBeClosed = false
  #group: Batch | null = null

  constructor(writer: Statements) {
    this.#writer = writer
  }

  /** A transaction, when its turn has come; others wait until it is released or undone. */
  async begin(): Promise<Participant> {
    await this.#waitForTurn()
    try {
      const group = await this.#join()
      this.#writer.command(SET_SAVEPOINT)
      return new Participant(this.#writer, group, () => this.#endTurn())
    } catch (error) {
      this.#endTurn()
      throw error
    }
  }

  /** A single statement; it needs no savepoint, because SQLite undoes one that fails. */
  async change<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#waitForTurn()
    let group: Batch | null = null
    try {
      group = await this.#join()
      return runIn(group, this.#writer, query)
    } finally {
      this.#endTurn()
      await group?.onDisk
    }
  }

  /** A statement outside of any transaction. */
  async runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#waitForTurn()
    try {
      this.#close()
      return await withBusyRetry(() => this.#writer.run<R>(query))
    } finally {
      this.#endTurn()
    }
  }

  /** Ends once all that was begun is on disk. */
  async settle() {
    await this.#waitForTurn()
    this.#close()
    this.#endTurn()
  }

  async #waitForTurn() {
    if (this.#isTaken) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#isTaken = true
  }

  #endTurn() {
    if (this.#group?.isFull) this.#close()
    const next = this.#waiting.shift()
    if (next) return next()
    this.#isTaken = false
    this.#closeSoon()
  }

  /** Not immediately: others of the same event-loop turn have not asked for their turn yet. */
  #closeSoon() {
    if (!this.#group || this.#isToBeClosed) return
    this.#isToBeClosed = true
    setImmediate(() => {
      this.#isToBeClosed = false
      if (!this.#isTaken) this.#close()
    })
  }

  async #join(): Promise<Batch> {
    if (!this.#group) {
      await withBusyRetry(() => this.#writer.command('begin immediate'))
      this.#group = new Batch()
    }
    this.#group.members++
    return this.#group
  }

  #close() {
    const group = this.#group
    this.#group = null
    if (!group || group.failure) return
    try {
      this.#writer.command('commit')
      group.succeed()
    } catch (error) {
      group.fail(error)
      if (this.#writer.isInTransaction) this.#writer.command('rollback')
    }
  }
}

/** One transaction of those that share a commit. */
export class Participant {
  readonly #writer: Statements
  readonly #group: Batch
  readonly #endTurn: () => void

  constructor(writer: Statements, group: Batch, endTurn: () => void) {
    this.#writer = writer
    this.#group = group
    this.#endTurn = endTurn
  }

  /** Resolves once the commit is on disk; rejects when it failed, and nothing of any member is left. */
  get onDisk(): Promise<void> {
    return this.#group.onDisk
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    return runIn(this.#group, this.#writer, query)
  }

  /** Hands over to the next. When it throws, the turn is kept for `undo`. */
  release() {
    if (!this.#group.failure) this.#writer.command(RELEASE_SAVEPOINT)
    this.#endTurn()
  }

  undo() {
    try {
      if (!this.#group.failure) this.#writer.command(UNDO_TO_SAVEPOINT)
      if (!this.#group.failure) this.#writer.command(RELEASE_SAVEPOINT)
    } finally {
      this.#endTurn()
    }
  }
}

class Batch {
  members = 0
  failure: { readonly reason: unknown } | null = null
  readonly #begun = performance.now()
  readonly #end = Promise.withResolvers<void>()

  constructor() {
    // A caller that awaits the end gets the failure; it is no unhandled rejection when nobody does.
    this.#end.promise.catch(() => {})
  }

  get onDisk(): Promise<void> {
    return this.#end.promise
  }

  get isFull(): boolean {
    const isOver = this.failure !== null
    return isOver || this.members >= MAX_PARTICIPANTS || performance.now() - this.#begun >= MAX_BATCH_TIME
  }

  succeed() {
    this.#end.resolve()
  }

  fail(reason: unknown) {
    this.failure = { reason }
    this.#end.reject(reason)
  }
}

const SAVEPOINT = '"a member of the group"'
const SET_SAVEPOINT = `savepoint ${SAVEPOINT}`
const RELEASE_SAVEPOINT = `release ${SAVEPOINT}`
const UNDO_TO_SAVEPOINT = `rollback to ${SAVEPOINT}`

/** On some errors, a full disk among them, SQLite rolls back the whole transaction: then all of its members have failed. */
function runIn<R>(group: Batch, writer: Statements, query: CompiledQuery): QueryResult<R> {
  if (group.failure) throw group.failure.reason
  try {
    return writer.run(query)
  } catch (error) {
    if (!writer.isInTransaction) group.fail(error)
    throw error
  }
}

/** Enough for every statement of the product; the oldest go when a caller builds more. */
const MAX_PREPARED_STATEMENTS = 500

/** One connection and its prepared statements. */
export class Statements {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  constructor(database: DatabaseSync, pragmas: readonly string[]) {
    this.#database = database
    for (const pragma of pragmas) database.exec(pragma)
  }

  get isInTransaction() {
    return this.#database.isTransaction
  }

  /** Runs one of the few statements that have neither values nor rows. */
  command(sql: string) {
    this.#prepare(sql).statement.run()
  }

  close() {
    this.#prepared.clear()
    this.#database.close()
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string) {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const made = { statement, returnsRows: statement.columns().length > 0 }
    const oldest = this.#prepared.keys().next().value
    if (this.#prepared.size >= MAX_PREPARED_STATEMENTS && oldest) this.#prepared.delete(oldest)
    this.#prepared.set(sql, made)
    return made
  }
}

/** Another process, a backup or a console command, may write for this long before we give up. */
export const BUSY_TIMEOUT = seconds(5)
const RETRY_DELAY = seconds(0.005)
const SQLITE_BUSY = 5

/** Waits for another process that is writing; SQLite's own way to wait would stop everything else here meanwhile. */
async function withBusyRetry<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(RETRY_DELAY)
    }
  }
}

/** The low byte is the result code, the rest says more of it. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0
  return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY
}
