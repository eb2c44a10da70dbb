import { type Expression, type SqlBool, sql } from 'kysely'
import { isPostgres } from '../../database/open.ts'
import type { Database } from '../../database/tables.ts'
import { type Listed, orderOf, type Place } from './filter.server.ts'

/** The index of texts knows groups of three letters, so it cannot help with less. */
const SHORTEST_INDEXED = 3

/** How a text is looked for. */
export type Search =
  /** The index gives hits in the order of the list, so the first are had without the rest. */
  | { readonly kind: 'in order'; list(place: Place, most: number): Listed }
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
  if ([...text].length < SHORTEST_INDEXED) return byBeginning(db, text)
  if (!isPostgres(db)) return inOrderOfArrival(text)
  return byTrigrams(db, text)
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
function inOrderOfArrival(text: string): Search {
  const phrase = `"${text.replaceAll('"', '""')}"`
  return {
    kind: 'in order',
    list: ({ from, towards }, most) => sql`(
      select message_id as id, number, form_type, is_read, verification from (
        select rowid as hit from message_texts
        where message_texts match ${phrase} ${from === undefined ? sql`` : behind(from, towards)}
        order by rowid ${sql.raw(orderOf({ towards }))} limit ${most}
      ) join message_numbers on number = hit)`,
  }
}

/** The message from which to go on may be gone; then its place is between the numbers of those that were next to it. */
function behind(from: string, towards: Place['towards']) {
  return towards === 'older'
    ? sql`and rowid < (select number + (message_id < ${from}) from message_numbers
        where message_id <= ${from} order by message_id desc limit 1)`
    : sql`and rowid > (select number - (message_id > ${from}) from message_numbers
        where message_id >= ${from} order by message_id limit 1)`
}

/** PostgreSQL: the index is there unless the extension could not be had when it was to be made. */
function byTrigrams(db: Database, text: string): Search {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matches = sql<SqlBool>`(name || E'\n' || email || E'\n' || coalesce(phone, '') || E'\n' || reference || E'\n' || message) ilike ${pattern}`
  // The extension knows letters and digits only; without any it would read its whole index.
  const isIndexed = async () => /[\p{L}\p{N}]/u.test(text) && (await hasTextIndex(db))
  return {
    kind: 'in no order',
    matches,
    hits: async most => ((await isIndexed()) ? await readIds(db, matches, most) : null),
  }
}

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
