import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { type CandidateQuery, type Cursor, orderOf } from './filter.server.ts'

/** Both indexes of texts know groups of three characters, so they cannot help with less. */
const MIN_INDEXED_LENGTH = 3

/** Characters of one word that an index is asked for. Each costs as many steps as the texts have groups like it. */
const MAX_INDEXED = 12

/** Of words that no index knows: each is looked for in every hit of the others. */
const MAX_SHORT_WORDS = 8

/** How messages are found that have all words of a text, anywhere and in any order. */
export type Search =
  /** The index gives hits in the order of the list, so the first are had without the rest. */
  | {
      readonly kind: 'in order'
      list(place: Cursor, most: number): CandidateQuery
      /** What the index cannot tell of a hit. */
      readonly conditions: readonly Expression<SqlBool>[]
    }
  /**
   * An index gives hits in no order, so they must be few to be of use. Where they are many, one soon comes upon enough
   * by reading the messages themselves.
   */
  | {
      readonly kind: 'in no order'
      readonly matches: Expression<SqlBool>
      /** Null where none can help. */
      readonly index: IndexedText | null
    }

/** An index of the text of messages, and the condition that it answers. */
export interface IndexedText {
  readonly name: 'messages_by_text' | 'messages_by_name'
  readonly isHit: Expression<SqlBool>
}

/** Chooses the way for this engine and this text. */
export function prepareSearch(db: Database, text: string): Search {
  if (isShort(text)) return byBeginning(db, text)
  const words = wordsOf(text)
  return isPostgres(db) ? byTrigrams(words) : inOrderOfArrival(words)
}

function isShort(text: string): boolean {
  return [...text].length < MIN_INDEXED_LENGTH
}

/** What each hit must have. Of short words alone no index knows any, so they are one text, as `Li Yu` is. */
function wordsOf(text: string): string[] {
  const all = text.split(/\s+/u)
  if (all.every(isShort)) return [all.join(' ')]
  const words = [...new Set(all)]
  // Whatever has `nurses` has `nurse` too.
  return withFewShort(words.filter(word => !words.some(other => other !== word && other.includes(word))))
}

/** A sentence that somebody pastes has many short words; without some of them it finds no less. */
function withFewShort(words: readonly string[]): string[] {
  const longestFirst = words.filter(isShort).toSorted((one, other) => other.length - one.length)
  const others = new Set(longestFirst.slice(MAX_SHORT_WORDS))
  return words.filter(word => !others.has(word))
}

/** What an index is asked for, and what its hits are asked for then. */
function divide(words: readonly string[]) {
  return {
    indexed: words.filter(word => !isShort(word)).map(indexTerm),
    rest: words.filter(word => isShort(word) || indexTerm(word) !== word),
  }
}

/** Of an address what is before its host: half of all addresses end alike, and what is common takes an index long. */
function indexTerm(word: string): string {
  // SQLite knows capitals of other letters by its index only.
  if (!isPlain(word)) return word
  const name = word.slice(0, word.indexOf('@') + 1)
  return (hasGroup(name) ? name : word).slice(0, MAX_INDEXED)
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/**
 * PostgreSQL's groups are of three letters or digits, of which the beginning of a word counts for two and its end for one.
 * Of a text without any it would read its whole index.
 */
function hasGroup(text: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(text)
}

/** How an e-mail address or a name begins: it may be all of a short name. */
function byBeginning(db: Database, text: string): Search {
  const collation = isPostgres(db) ? sql`collate "C"` : sql``
  const begins = (column: string, way: string) => {
    const value = sql`lower(${sql.ref(column)}) ${collation}`
    return sql`(${value} >= lower(${way}) ${collation} and ${value} < lower(${way}) || ${LAST_CHARACTER} ${collation})`
  }
  const ways = isPostgres(db) ? [text] : waysToWrite(text)
  const either = ways.flatMap(way => [begins('email', way), begins('name', way)])
  const matches = sql<SqlBool>`(${sql.join(either, sql` or `)})`
  return {
    kind: 'in no order',
    matches,
    index: { name: 'messages_by_name', isHit: matches },
  }
}

/** Sorts behind whatever may follow a beginning. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * The numbers of FTS5 go up with every message that arrives. SQLite joins in loops, and a cross join in the order in which
 * it is written; so hits come out as they went in.
 */
function inOrderOfArrival(words: readonly string[]): Search {
  const { indexed, rest } = divide(words)
  const query = indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ')
  const hasRest = all(rest.map(hasInEitherCase))
  // With a limit, or SQLite would write the text in small letters for each word anew.
  const isHit = sql<SqlBool>`(select 1 from (
    select lower(${SQLITE_TEXT}) as text from messages where messages.id = listed.id limit 1
  ) where ${hasRest}) = 1`
  return {
    kind: 'in order',
    list: ({ from, towards }, most) => sql`(
      select message_id as id, form_type, is_read, verification from (
        select rowid as hit from message_search
        where message_search match ${query} ${from === undefined ? sql`` : behind(from, towards)}
        order by rowid ${sql.raw(orderOf({ towards }))} limit ${most}
      ) cross join message_search_rows on number = hit)`,
    conditions: rest.length > 0 ? [isHit] : [],
  }
}

const SQLITE_TEXT = sql`(name || char(10) || email || char(10) || coalesce(phone, '') || char(10) || reference || char(10) || message)`

/** SQLite knows the capitals of the Latin alphabet only, so all other ways to write a short word are named. */
function hasInEitherCase(word: string) {
  const ways = waysToWrite(word).map(way => sql`instr(text, lower(${way})) > 0`)
  return sql`(${sql.join(ways, sql` or `)})`
}

function waysToWrite(word: string): string[] {
  if (isPlain(word)) return [word]
  const emails = [...word].map(email => [...new Set([email.toLowerCase(), email.toUpperCase()])])
  return emails.reduce<string[]>(
    (ways, either) => ways.flatMap(way => either.map(email => `${way}${email}`)),
    [''],
  )
}

/** The message from which to go on may be gone; then its place is between the numbers of those that were next to it. */
function behind(from: string, towards: Cursor['towards']) {
  return towards === 'older'
    ? sql`and rowid < (select number + (message_id < ${from}) from message_search_rows
        where message_id <= ${from} order by message_id desc limit 1)`
    : sql`and rowid > (select number - (message_id > ${from}) from message_search_rows
        where message_id >= ${from} order by message_id limit 1)`
}

/** PostgreSQL gives all hits of its index before the first of them can be had. */
function byTrigrams(words: readonly string[]): Search {
  const { indexed, rest } = divide(words)
  const isHit = all([
    ...indexed.map(word => has(POSTGRES_TEXT, word)),
    // An expression that the index does not have, so only its hits are asked.
    ...rest.map(word => has(sql`(${POSTGRES_TEXT} || '')`, word)),
  ])
  return {
    kind: 'in no order',
    matches: all(words.map(word => has(POSTGRES_TEXT, word))),
    index: indexed.some(hasGroup) ? { name: 'messages_by_text', isHit } : null,
  }
}

function has(text: RawBuilder<unknown>, word: string) {
  return sql`${text} ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`
}

function all(conditions: readonly RawBuilder<unknown>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** What is searched of a message: word for word the expression of the index, or it is not used. */
const POSTGRES_TEXT = sql`(name || E'\n' || email || E'\n' || coalesce(phone, '') || E'\n' || reference || E'\n' || message)`

/**
 * Reads by an index. Reading the whole table would be wrong however likely PostgreSQL takes hits to be.
 * @returns null where the index is not there: that of texts is only where its extension could be had.
 */
export async function readByIndex<T>(
  db: Database,
  name: IndexedText['name'],
  read: (reader: Database) => Promise<T>,
): Promise<T | null> {
  if (!isPostgres(db)) return await read(db)
  return await db.transaction().execute(async transaction => {
    const { rows } = await sql<{ index: string | null }>`select set_config('enable_seqscan', 'off', true),
      to_regclass(${name})::text as index`.execute(transaction)
    return rows[0]?.index ? await read(transaction) : null
  })
}
