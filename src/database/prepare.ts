import { type Compilable, type CompiledQuery, type Expression, type QueryResult, sql } from 'kysely'
import type { Database } from './tables.ts'

/** A placeholder for a value that is bound at each run. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => Expression<Values[Name]>

/**
 * A statement that is built and compiled once for each engine, for those that run with every enquiry: to build one
 * costs several times what SQLite needs to run it. The text must not depend on the values.
 */
export function prepare<Values, Row>(
  build: (db: Database, place: Param<Values>) => Compilable<Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new Map<unknown, CompiledQuery<Row>>()

  function compile(db: Database, engine: unknown) {
    const query = build(db, name => sql`${new Placeholder(name)}`).compile()
    compiled.set(engine, query)
    preparedTexts.add(query.sql)
    return query
  }

  return async (db, values) => {
    const engine = db.getExecutor().adapter.constructor
    const query = compiled.get(engine) ?? compile(db, engine)
    const fill = (parameter: unknown) =>
      parameter instanceof Placeholder ? Reflect.get(Object(values), parameter.name) : parameter
    return await db.executeQuery({ ...query, parameters: query.parameters.map(fill) })
  }
}

/** Whether `prepare` made this text. There are few of those. */
export function isPrepared(text: string): boolean {
  return preparedTexts.has(text)
}

const preparedTexts = new Set<string>()

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
