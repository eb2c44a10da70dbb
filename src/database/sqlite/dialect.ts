import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { GroupCommit, type Participant, Statements } from './group-commit.ts'
import { isOffMainThread, SqliteThread } from './reader-thread.ts'
import { SECURE_DELETE } from './vacuum.ts'

/** Pages of the log that nobody has emptied, 64 MB, before a commit does: the thread of `truncate-wal.ts` holds up nobody with that. */
const MAX_WAL_PAGES = 16_384

/**
 * Kysely over the SQLite that is part of Node: one connection writes, another reads, a third reads what takes long. Readers see the last committed
 * state and never wait; writers and transactions take turns, because SQLite has one writer, and those that come
 * together share a commit. It is on disk (`synchronous=FULL`) before any of them is answered.
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
  #commits: GroupCommit | null = null
  readonly #thread: SqliteThread

  constructor(file: string) {
    this.#file = file
    this.#thread = new SqliteThread(file)
  }

  async init() {
    mkdirSync(dirname(this.#file), { recursive: true })
    const database = new DatabaseSync(this.#file)
    const isNew = database.prepare('pragma page_count').get()?.page_count === 0
    this.#writer = new Statements(database, [
      'pragma busy_timeout = 5000',
      'pragma journal_mode = wal',
      'pragma synchronous = full',
      `pragma wal_autocheckpoint = ${MAX_WAL_PAGES}`,
      'pragma foreign_keys = on',
      // Overwrites deleted text at once. Otherwise it stays in the file.
      'pragma secure_delete = on',
      ...(isNew ? [`pragma user_version = ${SECURE_DELETE}`] : []),
      // The journal of savepoints. In a file, the default, it takes a quarter of an enquiry's statements.
      'pragma temp_store = memory',
      // From here on `withBusyRetry` waits, without stopping everything else.
      'pragma busy_timeout = 0',
    ])
    this.#commits = new GroupCommit(this.#writer)
    this.#reader = new Statements(new DatabaseSync(this.#file, { readOnly: true }), [
      'pragma busy_timeout = 5000',
    ])
  }

  async acquireConnection() {
    if (!this.#commits || !this.#reader) throw new Error('The database is not open')
    return new SqliteConnection(this.#reader, this.#commits, this.#thread)
  }

  async beginTransaction(connection: SqliteConnection) {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection) {
    await connection.end('keep')
  }

  async rollbackTransaction(connection: SqliteConnection) {
    await connection.end('undo')
  }

  async savepoint(connection: SqliteConnection, name: string) {
    await connection.executeQuery(savepointQuery('savepoint', name))
  }

  async rollbackToSavepoint(connection: SqliteConnection, name: string) {
    await connection.executeQuery(savepointQuery('rollback to', name))
  }

  async releaseSavepoint(connection: SqliteConnection, name: string) {
    await connection.executeQuery(savepointQuery('release', name))
  }

  async releaseConnection() {}

  async destroy() {
    await this.#commits?.settle()
    await this.#thread.close()
    this.#reader?.close()
    this.#writer?.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #reader: Statements
  readonly #commits: GroupCommit
  readonly #thread: SqliteThread
  #member: Participant | null = null

  constructor(reader: Statements, commits: GroupCommit, thread: SqliteThread) {
    this.#reader = reader
    this.#thread = thread
    this.#commits = commits
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#member) return this.#member.run(query)
    const { kind } = query.query
    if (kind === 'SelectQueryNode')
      return isOffMainThread() ? await this.#thread.run(query) : this.#reader.run(query)
    return isChange(kind) ? await this.#commits.change(query) : await this.#commits.runAlone(query)
  }

  async begin() {
    this.#member = await this.#commits.begin()
  }

  /** One whose commit fails has nothing left to roll back. */
  async end(verb: 'keep' | 'undo') {
    const member = this.#member
    if (verb === 'keep') member?.release()
    this.#member = null
    if (verb === 'undo') member?.undo()
    await member?.onDisk
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator; the product never streams rows
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported')
  }
}

/** Statements that can share a commit. Others may not be allowed in a transaction, such as a pragma or a vacuum. */
function isChange(kind: string): boolean {
  return kind === 'InsertQueryNode' || kind === 'UpdateQueryNode' || kind === 'DeleteQueryNode'
}

const savepointQuery = (verb: string, name: string) =>
  CompiledQuery.raw(`${verb} "${name.replaceAll('"', '""')}"`)
