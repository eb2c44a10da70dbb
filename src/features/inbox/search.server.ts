import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'

/** Characters. A shorter text is so common that it is compared with the start of names and email addresses only. */
const MIN_LENGTH = 3

/** Words shorter than that which are compared: a pasted sentence has many, and dropping some of them loses no hit. */
const MAX_SHORT_WORDS = 8

/** Whether a message contains all words of a text, each in any field and in any case, in any order. */
export function containsText(db: Database, text: string): RawBuilder<SqlBool> {
  const contains = isPostgres(db) ? containsInPostgres : containsInSqlite
  // Each field begins after a line break, and no word contains one.
  return isShort(text) ? contains(NAMES, [`\n${text}`]) : contains(ALL_FIELDS, wordsOf(text))
}

const NAMES = sql`concat_ws(${'\n'}, '', name, email)`
const ALL_FIELDS = sql`concat_ws(${'\n'}, name, email, phone, reference, message)`

function isShort(text: string): boolean {
  return [...text].length < MIN_LENGTH
}

/** The words that each hit must contain. When all are short, they are one text, such as `Li Yu`. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/u)
  if (words.every(isShort)) return [words.join(' ')]
  const short = words.filter(isShort).toSorted((one, other) => other.length - one.length)
  return [...words.filter(word => !isShort(word)), ...short.slice(0, MAX_SHORT_WORDS)]
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
