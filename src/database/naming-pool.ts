import { createHash } from 'node:crypto'
import type { PostgresPool } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isPrepared } from './prepare.ts'

/**
 * Gives the statements of `prepare` a name, so that PostgreSQL parses and plans them once for each connection. Others
 * stay without: there are many of them, and a named `select *` fails once a newer node has added a column.
 */
export function namingPool(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, PoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const naming = known.get(client) ?? namingClient(client)
      known.set(client, naming)
      return naming
    },
    end: () => pool.end(),
  }
}

function namingClient(client: PoolClient): PoolClient {
  const query = (text: string, values: unknown[]) =>
    isPrepared(text) ? client.query({ name: nameOf(text), text, values }) : client.query(text, values)
  return new Proxy(client, {
    get(target, property) {
      if (property === 'query') return query
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
