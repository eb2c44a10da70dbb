import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/**
 * Kysely over the SQLite that is part of Node: one connection writes, another reads. Readers see the last committed
 * state and never wait; writers and transactions take turns, because SQLite has one writer. Every commit is on disk
 * (`synchronous=FULL`) before it is answered.
 */
export function sqliteDialect(file: string): Dialect {
  return {
    createDriver: () => new SqliteDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}

/** Kysely takes SQLite for an engine without transactional DDL; it has it, and migrations need it. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
  override get supportsMultipleConnections() {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #file: string
  #writer: Statements | null = null
  #reader: Statements | null = null
  readonly #turns = new Turns()

  constructor(file: string) {
    this.#file = file
  }

  async init() {
    mkdirSync(dirname(this.#file), { recursive: true })
    this.#writer = new Statements(new DatabaseSync(this.#file), [
      'pragma journal_mode = wal',
      'pragma synchronous = full',
      'pragma foreign_keys = on',
      'pragma busy_timeout = 5000',
    ])
    this.#reader = new Statements(new DatabaseSync(this.#file, { readOnly: true }), [
      'pragma busy_timeout = 5000',
    ])
  }

  async acquireConnection() {
    if (!this.#writer || !this.#reader) throw new Error('The database is not open')
    return new SqliteConnection(this.#writer, this.#reader, this.#turns)
  }

  async beginTransaction(connection: SqliteConnection) {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection) {
    connection.end('commit')
  }

  async rollbackTransaction(connection: SqliteConnection) {
    connection.end('rollback')
  }

  async savepoint(connection: SqliteConnection, name: string, compile: QueryCompiler['compileQuery']) {
    await connection.executeQuery(savepointQuery('savepoint', name, compile))
  }

  async rollbackToSavepoint(
    connection: SqliteConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ) {
    await connection.executeQuery(savepointQuery('rollback to', name, compile))
  }

  async releaseSavepoint(connection: SqliteConnection, name: string, compile: QueryCompiler['compileQuery']) {
    await connection.executeQuery(savepointQuery('release', name, compile))
  }

  async releaseConnection() {}

  async destroy() {
    this.#reader?.close()
    this.#writer?.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Statements
  readonly #reader: Statements
  readonly #turns: Turns
  #endTurn: (() => void) | null = null

  constructor(writer: Statements, reader: Statements, turns: Turns) {
    this.#writer = writer
    this.#reader = reader
    this.#turns = turns
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn) return this.#writer.run(query)
    if (query.query.kind === 'SelectQueryNode') return this.#reader.run(query)
    const endTurn = await this.#turns.take()
    try {
      return this.#writer.run(query)
    } finally {
      endTurn()
    }
  }

  async begin() {
    const endTurn = await this.#turns.take()
    try {
      this.#writer.exec('begin immediate')
      this.#endTurn = endTurn
    } catch (error) {
      endTurn()
      throw error
    }
  }

  /** A commit that fails keeps the turn, so that the rollback which follows it is still ours. */
  end(verb: 'commit' | 'rollback') {
    if (verb === 'commit' || this.#writer.isInTransaction) this.#writer.exec(verb)
    this.#endTurn?.()
    this.#endTurn = null
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator; the product never streams rows
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported')
  }
}

/** Enough for every statement of the product; the oldest go when a caller builds more. */
const MOST_PREPARED_STATEMENTS = 500

/** One connection and its prepared statements. */
class Statements {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  constructor(database: DatabaseSync, pragmas: readonly string[]) {
    this.#database = database
    for (const pragma of pragmas) database.exec(pragma)
  }

  get isInTransaction() {
    return this.#database.isTransaction
  }

  exec(sql: string) {
    this.#database.exec(sql)
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
    if (this.#prepared.size >= MOST_PREPARED_STATEMENTS && oldest) this.#prepared.delete(oldest)
    this.#prepared.set(sql, made)
    return made
  }
}

/** Who may write now: one at a time, in the order they asked. */
class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}

function savepointQuery(verb: string, name: string, compile: QueryCompiler['compileQuery']) {
  const raw = CompiledQuery.raw(`${verb} "${name.replaceAll('"', '""')}"`)
  return compile(raw.query as Parameters<typeof compile>[0], raw.queryId)
}
