import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Database } from './tables.ts'

/**
 * Whether a text contains all words, in any case and in any order. It takes a while for long texts: on SQLite, call
 * `offMainThread`, which is also where the function that compares exists.
 * @param fields an SQL expression
 */
export function containsWords(
  db: Database,
  fields: RawBuilder<unknown>,
  words: readonly string[],
): RawBuilder<SqlBool> {
  return isPostgres(db) ? containsInPostgres(fields, words) : containsInSqlite(fields, words)
}

/** With the function of the reading thread: SQLite's own ignore case in ASCII only. */
function containsInSqlite(fields: RawBuilder<unknown>, words: readonly string[]): RawBuilder<SqlBool> {
  const lowercase = words.map(word => word.toLowerCase())
  return sql<SqlBool>`contains_words(${fields}, ${sql.join(lowercase)}) = 1`
}

/** Unlike `ilike`, this takes no longer for a text that repeats the beginning of a word. */
function containsInPostgres(fields: RawBuilder<unknown>, words: readonly string[]): RawBuilder<SqlBool> {
  const all = words.map(word => sql`strpos(text, lower(${word})) > 0`)
  // With the offset, the text is converted to lowercase once and not for each word.
  return sql<SqlBool>`(select ${sql.join(all, sql` and `)} from (select lower(${fields}) as text offset 0) as lowercase)`
}
