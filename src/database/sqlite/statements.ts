import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

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
