import { createHash } from 'node:crypto'
import { PostgresDialect, type PostgresPool } from 'kysely'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { seconds } from '../../platform/clock.ts'
import { isPrepared } from '../prepare.ts'

/** The server ends a statement after this; should it not even do that, we give up a little later. */
const STATEMENT_TIMEOUT = seconds(5)
const MAX_SILENCE = seconds(5.5)

const timeouts = {
  quick: { max: 10, statement_timeout: STATEMENT_TIMEOUT, query_timeout: MAX_SILENCE },
  /** For changes of the schema, which take as long as they take. */
  patient: { max: 1 },
} satisfies Record<string, PoolConfig>

/** PostgreSQL by way of `pg`. */
export function postgresDialect(connectionString: string, kind: keyof typeof timeouts): PostgresDialect {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: seconds(2), ...timeouts[kind] })
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // One in use that breaks fails its statement, or the next one; without a listener it would end the process as well.
  pool.on('connect', client => client.on('error', () => {}))
  return new PostgresDialect({ pool: ourPool(pool) })
}

function ourPool(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, PoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const ours = known.get(client) ?? ourClient(client)
      known.set(client, ours)
      return ours
    },
    end: () => pool.end(),
  }
}

/**
 * Names the statements of `prepare`, so that PostgreSQL parses and plans them once for each connection. Others stay
 * without: there are many of them, and a named `select *` fails once a newer node has added a column.
 *
 * A connection that gave no answer gives none to what follows either, the rollback first of all: it is closed, so that
 * nobody waits for it again.
 */
function ourClient(client: PoolClient): PoolClient {
  let silence: Error | null = null

  async function query(text: string, values: unknown[]) {
    if (silence) throw silence
    try {
      const name = isPrepared(text) ? { name: nameOf(text) } : {}
      return await client.query({ ...name, text, values })
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') silence = error
      throw error
    }
  }

  return new Proxy(client, {
    get(target, property) {
      if (property === 'query') return query
      if (property === 'release') return (mustEnd?: boolean) => target.release(mustEnd || silence !== null)
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const names = new Map<string, string>()

/** PostgreSQL takes 63 characters; another version of the same statement must not have the same name. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
