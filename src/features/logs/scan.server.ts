import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import { type Chunk, scan } from '../../database/paged.ts'
import type { Database } from '../../database/tables.ts'
import type { LogQuery } from './contract.ts'

/** Words of a search that are compared: a pasted sentence has many, and dropping some of them loses no hit. */
const MAX_WORDS = 12

export type LogFilter = Omit<LogQuery, 'environment' | 'limit' | 'cursor'>
type Condition = RawBuilder<SqlBool>

/** Whether no index finds the matches of a filter, so that entries must be read to see which of them match. */
export function needsScan({ q, userId, level, source }: LogFilter): boolean {
  return q !== undefined || (userId !== undefined && (level !== undefined || source !== undefined))
}

interface Found {
  readonly id: string
}

/** Finds the next `limit` entries that match, newest first. */
export async function scanEntries(
  db: Database,
  filter: LogFilter,
  cursor: string | undefined,
  limit: number,
): Promise<Chunk<Found>> {
  return await scan({
    ...{ from: cursor, limit },
    readChunk: (from, most, { size }) => scanChunk(db, filter, from, most, size),
  })
}

/** Finds matches among the next `size` entries of an index. */
async function scanChunk(
  db: Database,
  filter: LogFilter,
  from: string | undefined,
  limit: number,
  size: number,
) {
  const isAfter = from === undefined ? [] : [sql<SqlBool>`id < ${from}`]
  const isListed = allOf([...isAfter, ...indexed(filter)])
  const matches = allOf(compared(db, filter))
  const scanned = sql<Found & { is_match: number }>`(
    select * from (select id, 1 as is_match
      from (select * from logs where ${isListed} order by id desc limit ${size}) as listed
      where ${matches} order by id desc limit ${limit + 1}) as matching
    union all select * from (select id, 0 as is_match
      from logs where ${isListed} order by id desc limit 1 offset ${size - 1}) as last)`
  const rows = await db.selectFrom(scanned.as('scanned')).select(['id', 'is_match']).execute()
  const found = rows.filter(row => row.is_match === 1)
  if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1]?.id ?? null }
  return { found, next: rows.find(row => row.is_match === 0)?.id ?? null }
}

const allOf = (conditions: readonly Condition[]) => sql.join([sql`true`, ...conditions], sql` and `)

/** The conditions for which there is an index: of a user, or else of a level, a source or both. */
function indexed({ userId, level, source }: LogFilter): Condition[] {
  if (userId !== undefined) return [sql<SqlBool>`user_id = ${userId}`]
  return [...isOf('level', level), ...isOf('source', source)]
}

function compared(db: Database, { q, userId, level, source }: LogFilter): Condition[] {
  const rest = userId === undefined ? [] : [...isOf('level', level), ...isOf('source', source)]
  if (q === undefined) return rest
  return [...rest, containsWords(db, TEXT, q.split(/\s+/u).slice(0, MAX_WORDS))]
}

const TEXT = sql`concat_ws(${'\n'}, message, details, ip_address)`

function isOf(column: 'level' | 'source', value: string | undefined): Condition[] {
  return value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`]
}

/**
 * Whether a text contains all words, in any case and in any order. It takes a while for long texts: on SQLite, call
 * `offMainThread`, which is also where the function that compares exists.
 * @param fields an SQL expression
 */
function containsWords(db: Database, fields: RawBuilder<unknown>, words: readonly string[]) {
  if (!isPostgres(db)) {
    // With the function of the reading thread: SQLite's own ignore case in ASCII only.
    const lowercase = words.map(word => word.toLowerCase())
    return sql<SqlBool>`contains_words(${fields}, ${sql.join(lowercase)}) = 1`
  }
  // Unlike `ilike`, this takes no longer for a text that repeats the beginning of a word.
  const all = words.map(word => sql`strpos(text, lower(${word})) > 0`)
  // With the offset, the text is converted to lowercase once and not for each word.
  return sql<SqlBool>`(select ${sql.join(all, sql` and `)} from (select lower(${fields}) as text offset 0) as lowercase)`
}
