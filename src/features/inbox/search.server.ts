import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/engine.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type CandidateQuery, type Cursor, orderOf } from './filter.server.ts'

/** Characters. The text indexes of both engines hold groups of three, so they cannot find less. */
const MIN_INDEXED_LENGTH = 3

/** Characters of one word that are looked up in an index: each adds a lookup in a list of all texts with that group. */
const MAX_INDEXED_LENGTH = 12

/** Words that are too short for an index: each is searched in every hit of the other words. */
const MAX_SHORT_WORDS = 8

/** How to find the messages that contain all words of a text, anywhere and in any order. */
export type Search =
  /** The index returns hits in the order of the list, so the first page needs no others. */
  | {
      readonly kind: 'ordered'
      list(cursor: Cursor, limit: number): CandidateQuery
      /** What the index cannot check: each hit must meet these conditions too. */
      readonly conditions: readonly Expression<SqlBool>[]
    }
  /**
   * The index returns hits in no order, so it is useful only when they are few. When they are many, reading the messages
   * themselves soon finds enough.
   */
  | {
      readonly kind: 'unordered'
      readonly matches: Expression<SqlBool>
      /** Null when no index helps. */
      readonly index: IndexedText | null
    }

/** An index of the text of messages, and the condition that it can evaluate. */
export interface IndexedText {
  readonly name: 'messages_by_text' | 'messages_by_name'
  readonly isHit: Expression<SqlBool>
}

/** Chooses how to search for this text with this engine. */
export function prepareSearch(db: Database, text: string): Search {
  if (isShort(text)) return byPrefix(db, text)
  const words = wordsOf(text)
  return isPostgres(db) ? byTrigrams(words) : byArrival(words)
}

function isShort(text: string): boolean {
  return [...text].length < MIN_INDEXED_LENGTH
}

/** The words that each hit must contain. No index has short words: when all are short, they are one text, such as `Li Yu`. */
function wordsOf(text: string): string[] {
  const all = text.split(/\s+/u)
  if (all.every(isShort)) return [all.join(' ')]
  const words = [...new Set(all)]
  // A text that contains `nurses` contains `nurse` too.
  return limitShortWords(words.filter(word => !words.some(other => other !== word && other.includes(word))))
}

/** A pasted sentence has many short words. Dropping some of them loses no hit. */
function limitShortWords(words: readonly string[]): string[] {
  const longestFirst = words.filter(isShort).toSorted((one, other) => other.length - one.length)
  const dropped = new Set(longestFirst.slice(MAX_SHORT_WORDS))
  return words.filter(word => !dropped.has(word))
}

/** Splits words into terms for the index, and words that must be checked in each of its hits. */
function splitByIndex(words: readonly string[]) {
  return {
    indexed: words.filter(word => !isShort(word)).map(indexTerm),
    rest: words.filter(word => isShort(word) || indexTerm(word) !== word),
  }
}

/** The part of a word to look up: of an email address, the part before its host, since common hosts make a lookup slow. */
function indexTerm(word: string): string {
  // Outside ASCII, SQLite can ignore case only in its index, so the whole word must be looked up there.
  if (!isAscii(word)) return word
  const name = word.slice(0, word.indexOf('@') + 1)
  return (hasTrigram(name) ? name : word).slice(0, MAX_INDEXED_LENGTH)
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/**
 * PostgreSQL's trigrams consist of alphanumeric characters; the start of a word counts as two of them and its end as one.
 * For a text without any, PostgreSQL would read its whole index.
 */
function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(text)
}

/** Finds names and email addresses that start with one or two characters, which may be a whole short name. */
function byPrefix(db: Database, text: string): Search {
  const collation = isPostgres(db) ? sql`collate "C"` : sql``
  const startsWith = (column: string, prefix: string) => {
    const value = sql`lower(${sql.ref(column)}) ${collation}`
    return sql`(${value} >= lower(${prefix}) ${collation} and ${value} < lower(${prefix}) || ${LAST_CHARACTER} ${collation})`
  }
  const spellings = isPostgres(db) ? [text] : caseVariants(text)
  const either = spellings.flatMap(spelling => [startsWith('email', spelling), startsWith('name', spelling)])
  const matches = sql<SqlBool>`(${sql.join(either, sql` or `)})`
  return {
    kind: 'unordered',
    matches,
    index: { name: 'messages_by_name', isHit: matches },
  }
}

/** Sorts after every character that may follow a prefix. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * FTS5's row ids increase with every message that arrives. SQLite joins with nested loops, a cross join in the order in
 * which it is written, so hits come in the order of arrival.
 */
function byArrival(words: readonly string[]): Search {
  const { indexed, rest } = splitByIndex(words)
  const query = indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ')
  const hasRest = all(rest.map(containsInAnyCase))
  // Without the limit, SQLite would convert the text to lower case again for each word.
  const isHit = sql<SqlBool>`(select 1 from (
    select lower(${SQLITE_TEXT}) as text from messages where messages.id = listed.id limit 1
  ) where ${hasRest}) = 1`
  return {
    kind: 'ordered',
    list: ({ from, towards }, limit) => sql`(
      select message_id as id, form_type, is_read, verification from (
        select rowid as hit from message_search
        where message_search match ${query} ${from === undefined ? sql`` : afterMessage(from, towards)}
        order by rowid ${sql.raw(orderOf({ towards }))} limit ${limit}
      ) cross join message_search_rows on number = hit)`,
    conditions: rest.length > 0 ? [isHit] : [],
  }
}

const SQLITE_TEXT = sql`(name || char(10) || email || char(10) || coalesce(phone, '') || char(10) || reference || char(10) || message)`

/** SQLite's lower() converts ASCII only, so all case variants of other characters are listed. */
function containsInAnyCase(word: string) {
  const variants = caseVariants(word).map(variant => sql`instr(text, lower(${variant})) > 0`)
  return sql`(${sql.join(variants, sql` or `)})`
}

function caseVariants(word: string): string[] {
  if (isAscii(word)) return [word]
  const characters = [...word].map(character => [
    ...new Set([character.toLowerCase(), character.toUpperCase()]),
  ])
  return characters.reduce<string[]>(
    (starts, cases) => starts.flatMap(start => cases.map(character => `${start}${character}`)),
    [''],
  )
}

/** The cursor's message may be deleted; then its position is between the row ids of its neighbours. */
function afterMessage(from: string, towards: Cursor['towards']) {
  return towards === 'older'
    ? sql`and rowid < (select number + (message_id < ${from}) from message_search_rows
        where message_id <= ${from} order by message_id desc limit 1)`
    : sql`and rowid > (select number - (message_id > ${from}) from message_search_rows
        where message_id >= ${from} order by message_id limit 1)`
}

/** PostgreSQL collects all hits of its index before it returns the first. */
function byTrigrams(words: readonly string[]): Search {
  const { indexed, rest } = splitByIndex(words)
  const isHit = all([
    ...indexed.map(word => contains(POSTGRES_TEXT, word)),
    // The index does not have this expression, so PostgreSQL evaluates it for the hits only.
    ...rest.map(word => contains(sql`(${POSTGRES_TEXT} || '')`, word)),
  ])
  return {
    kind: 'unordered',
    matches: all(words.map(word => contains(POSTGRES_TEXT, word))),
    index: indexed.some(hasTrigram) ? { name: 'messages_by_text', isHit } : null,
  }
}

function contains(text: RawBuilder<unknown>, word: string) {
  return sql`${text} ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`
}

function all(conditions: readonly RawBuilder<unknown>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** The text of a message that is searched. Must repeat the expression of the index exactly, or it is not used. */
const POSTGRES_TEXT = sql`(name || E'\n' || email || E'\n' || coalesce(phone, '') || E'\n' || reference || E'\n' || message)`

/**
 * Reads with an index. Stops PostgreSQL from reading the whole table, however many hits it expects.
 * @returns null when the index does not exist: the text index needs an extension that may not be available.
 */
export async function readByIndex<T>(
  db: Database,
  name: IndexedText['name'],
  read: (reader: Database) => Promise<T>,
): Promise<T | null> {
  if (!isPostgres(db)) return await read(db)
  return await inTransaction(db, async transaction => {
    const { rows } = await sql<{ index: string | null }>`select set_config('enable_seqscan', 'off', true),
      to_regclass(${name})::text as index`.execute(transaction)
    return rows[0]?.index ? await read(transaction) : null
  })
}
