import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/open.ts'
import type { Database } from '../../database/tables.ts'
import { type Listed, orderOf, type Place } from './filter.server.ts'

/** Both indexes of texts know groups of three characters, so they cannot help with less. */
const SHORTEST_INDEXED = 3

/** How messages are found that have all words of a text, anywhere and in any order. */
export type Search =
  /** The index gives hits in the order of the list, so the first are had without the rest. */
  | {
      readonly kind: 'in order'
      list(place: Place, most: number): Listed
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
      /** At most so many ids; null where no index can help. */
      hits(most: number): Promise<string[] | null>
    }

/** Chooses the way for this engine and this text. */
export function prepareSearch(db: Database, text: string): Search {
  if (isShort(text)) return byBeginning(db, text)
  const words = wordsOf(text)
  return isPostgres(db) ? byTrigrams(db, words) : inOrderOfArrival(words)
}

function isShort(text: string): boolean {
  return [...text].length < SHORTEST_INDEXED
}

/** What each hit must have. Of short words alone no index knows any, so they are one text, as `Li Yu` is. */
function wordsOf(text: string): string[] {
  const words = [...new Set(text.split(/\s+/u))]
  if (words.every(isShort)) return [text]
  // Whatever has `nurses` has `nurse` too.
  return words.filter(word => !words.some(other => other !== word && other.includes(word)))
}

/** How an e-mail address or a name begins: it may be all of a short name. */
function byBeginning(db: Database, text: string): Search {
  const collation = isPostgres(db) ? sql`collate "C"` : sql``
  const begins = (column: string) => {
    const value = sql`lower(${sql.ref(column)}) ${collation}`
    return sql`(${value} >= lower(${text}) ${collation} and ${value} < lower(${text}) || ${LAST_CHARACTER} ${collation})`
  }
  const matches = sql<SqlBool>`(${begins('email')} or ${begins('name')})`
  return {
    kind: 'in no order',
    matches,
    hits: async most => await readIds(db, matches, most),
  }
}

/** Sorts behind whatever may follow a beginning. */
const LAST_CHARACTER = '\u{10ffff}'

/** SQLite: the numbers of FTS5 go up with every message that arrives. */
function inOrderOfArrival(words: readonly string[]): Search {
  const indexed = words.filter(word => !isShort(word))
  const query = indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ')
  const others = words.filter(isShort).map(word => sql`instr(lower(${SQLITE_TEXT}), lower(${word})) > 0`)
  const hasOthers = sql<SqlBool>`(select 1 from messages where messages.id = listed.id and ${all(others)}) = 1`
  return {
    kind: 'in order',
    list: ({ from, towards }, most) => sql`(
      select message_id as id, number, form_type, is_read, verification from (
        select rowid as hit from message_texts
        where message_texts match ${query} ${from === undefined ? sql`` : behind(from, towards)}
        order by rowid ${sql.raw(orderOf({ towards }))} limit ${most}
      ) join message_numbers on number = hit)`,
    conditions: others.length > 0 ? [hasOthers] : [],
  }
}

const SQLITE_TEXT = sql`(name || char(10) || email || char(10) || coalesce(phone, '') || char(10) || reference || char(10) || message)`

/** The message from which to go on may be gone; then its place is between the numbers of those that were next to it. */
function behind(from: string, towards: Place['towards']) {
  return towards === 'older'
    ? sql`and rowid < (select number + (message_id < ${from}) from message_numbers
        where message_id <= ${from} order by message_id desc limit 1)`
    : sql`and rowid > (select number - (message_id > ${from}) from message_numbers
        where message_id >= ${from} order by message_id limit 1)`
}

/** PostgreSQL: the index is there unless the extension could not be had when it was to be made. */
function byTrigrams(db: Database, words: readonly string[]): Search {
  const matches = all(words.map(word => has(POSTGRES_TEXT, word)))
  const rest = words.filter(word => rarePart(word) !== word)
  const isHit = all([
    ...words.map(word => has(POSTGRES_TEXT, rarePart(word))),
    // An expression that the index does not have, so only its hits are asked.
    ...rest.map(word => has(sql`(${POSTGRES_TEXT} || '')`, word)),
  ])
  const isIndexed = async () => words.some(hasGroup) && (await hasTextIndex(db))
  return {
    kind: 'in no order',
    matches,
    hits: async most => ((await isIndexed()) ? await readIds(db, isHit, most) : null),
  }
}

function has(text: RawBuilder<unknown>, word: string) {
  return sql`${text} ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`
}

function all(conditions: readonly RawBuilder<unknown>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** The extension knows letters and digits only; without any it would read its whole index. */
function hasGroup(word: string): boolean {
  return !isShort(word) && /[\p{L}\p{N}]/u.test(word)
}

/** Of an address what is before its host: half of all addresses end alike, and the index reads what is common to its end. */
function rarePart(word: string): string {
  const name = word.slice(0, word.indexOf('@') + 1)
  return hasGroup(name) ? name : word
}

/** What is searched of a message: word for word the expression of the index, or it is not used. */
const POSTGRES_TEXT = sql`(name || E'\n' || email || E'\n' || coalesce(phone, '') || E'\n' || reference || E'\n' || message)`

async function hasTextIndex(db: Database): Promise<boolean> {
  const index = sql<string | null>`to_regclass('messages_by_text')::text`.as('name')
  const row = await db.selectNoFrom(index).executeTakeFirst()
  return row?.name !== null
}

/** At most so many ids that an index gives. Reading the whole table would be wrong however likely hits seem. */
async function readIds(db: Database, matches: Expression<SqlBool>, most: number): Promise<string[]> {
  const read = async (reader: Database) =>
    await reader.selectFrom('messages').select('id').where(matches).limit(most).execute()
  const rows = isPostgres(db)
    ? await db.transaction().execute(async transaction => {
        await sql`set local enable_seqscan = off`.execute(transaction)
        return await read(transaction)
      })
    : await read(db)
  return rows.map(({ id }) => id)
}
