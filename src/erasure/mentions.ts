import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { ERASED, eraseAddresses } from './addresses.ts'

/** Rows that are read by one statement. */
const AT_ONCE = 1000
/** Where the conversation with one person may name another: as a copy, or in what staff wrote. */
interface Place {
  readonly table: 'entries' | 'notes' | 'drafts' | 'outbox'
  readonly column: 'body' | 'cc' | 'email' | 'last_error'
  readonly time: 'created_at' | 'updated_at'
  readonly isJson?: true
}

export const places: readonly Place[] = [
  { table: 'entries', column: 'body', time: 'created_at' },
  { table: 'entries', column: 'cc', time: 'created_at', isJson: true },
  { table: 'notes', column: 'body', time: 'created_at' },
  { table: 'drafts', column: 'body', time: 'updated_at' },
  { table: 'outbox', column: 'email', time: 'created_at', isJson: true },
  { table: 'outbox', column: 'last_error', time: 'created_at' },
]

export interface Mention {
  /** Sorts the rows of its table, and is unique in it. */
  readonly key: string
  readonly message_id: string | null
  readonly text: string
  readonly time: string
}

/** The next rows of a place whose text contains something, in any case. */
export async function findMentions(
  db: Database,
  place: Place,
  containing: string,
  after = '',
): Promise<readonly Mention[]> {
  const { table, column, time } = place
  const pattern = `%${containing.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  const { rows } = await sql<Mention>`
    select ${keyOf(place)} as key, message_id, ${sql.ref(column)} as text, ${sql.ref(time)} as time
    from ${sql.table(table)}
    where ${keyOf(place)} > ${after} and lower(${sql.ref(column)}) like ${pattern} escape '!'
    order by ${keyOf(place)} limit ${sql.lit(AT_ONCE)}`.execute(db)
  return rows
}

function keyOf({ table }: Place): RawBuilder<string> {
  return table === 'drafts' ? sql`(message_id || user_id || kind)` : sql`id`
}

/**
 * Removes people from the conversations with others: from the copies of replies, sent or not, and from what staff wrote.
 * @param isErased whether what names an address at a time must go
 * @param containing a part of every address that `isErased` can say yes to
 * @returns from how many texts
 */
export async function eraseMentions(
  transaction: Database,
  isErased: (address: string, time: string) => boolean,
  containing = '@',
): Promise<number> {
  let count = 0
  for (const place of places)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const mentions: readonly Mention[] = await findMentions(transaction, place, containing, after)
      for (const mention of mentions) if (await erase(transaction, place, mention, isErased)) count++
      after = mentions.at(-1)?.key
    }
  return count
}

async function erase(
  transaction: Database,
  place: Place,
  { key, text, time }: Mention,
  isErased: (address: string, time: string) => boolean,
): Promise<boolean> {
  const redact = (part: string) => eraseAddresses(part, address => isErased(address, time))
  const redacted = place.isJson && text !== '' ? redactJson(text, redact) : redact(text)
  if (redacted === text) return false
  const isThis: RawBuilder<SqlBool> = sql`${keyOf(place)} = ${key}`
  await sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${redacted} where ${isThis}`.execute(
    transaction,
  )
  return true
}

/** A list of addresses loses those that are erased: an email cannot be sent to what replaces them in a text. */
function redactJson(text: string, redact: (part: string) => string): string {
  const reviver = (_key: string, value: unknown) => {
    if (typeof value === 'string') return redact(value)
    return Array.isArray(value) ? value.filter(each => each !== ERASED) : value
  }
  return JSON.stringify(JSON.parse(text, reviver))
}
