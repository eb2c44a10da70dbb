import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { deleteAttachments } from '../attachments/store.server.ts'
import { isPostgres } from '../database/engine.ts'
import { firstIdAt } from '../database/id.ts'
import type { Database, LogRow } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { comparableAddress, ERASED, eraseAddresses, eraseAddressesInName } from './addresses.ts'
import { deleteOriginal, eraseMails, receivedSince } from './erase-mails.ts'
import { eraseInConversation } from './excerpt.ts'
import { AT_ONCE, inBatches, inPages } from './in-pages.ts'

/** Rows that are searched by one statement, so that it takes milliseconds: on SQLite nobody is served meanwhile. */
const SEARCHED_AT_ONCE = 1000

/** Where the conversation with one person may name another: as a copy, or in what staff wrote. */
interface Place {
  readonly table:
    | ('message_tags' | 'entries' | 'notes' | 'drafts' | 'outbox' | 'canned_replies' | 'saved_views')
    | ('inbound_mails' | 'participants' | 'attachments' | 'scheduled_replies' | 'erasure_requests')
  readonly column:
    | ('tag' | 'title' | 'body' | 'detail' | 'cc' | 'email' | 'last_error' | 'address' | 'name' | 'filter')
    | (
        | 'reason'
        | 'variants'
        | 'from_address'
        | 'to_addresses'
        | 'cc_addresses'
        | 'subject'
        | 'body_quoted'
        | 'html'
      )
  /** Null for a tag: the history says when it was given. */
  readonly time: 'created_at' | 'updated_at' | 'mailbox_time' | 'requested_at' | null
  readonly isJson?: true
  /** It goes as a whole, with its row: what is left of two of them could be the same. */
  readonly isWhole?: true
}

const places: readonly Place[] = [
  // Before the history, which says when each tag was given.
  { table: 'message_tags', column: 'tag', time: null, isWhole: true },
  { table: 'entries', column: 'body', time: 'created_at' },
  // The tags that came and went.
  { table: 'entries', column: 'detail', time: 'created_at' },
  { table: 'entries', column: 'cc', time: 'created_at', isJson: true },
  { table: 'notes', column: 'body', time: 'created_at' },
  { table: 'drafts', column: 'body', time: 'updated_at' },
  { table: 'scheduled_replies', column: 'cc', time: 'created_at', isJson: true },
  { table: 'erasure_requests', column: 'reason', time: 'requested_at' },
  { table: 'outbox', column: 'email', time: 'created_at', isJson: true },
  { table: 'outbox', column: 'last_error', time: 'created_at' },
  { table: 'participants', column: 'address', time: 'created_at', isWhole: true },
  { table: 'inbound_mails', column: 'from_address', time: 'mailbox_time' },
  { table: 'inbound_mails', column: 'to_addresses', time: 'mailbox_time', isJson: true },
  { table: 'inbound_mails', column: 'cc_addresses', time: 'mailbox_time', isJson: true },
  { table: 'inbound_mails', column: 'subject', time: 'mailbox_time' },
  { table: 'inbound_mails', column: 'body_quoted', time: 'mailbox_time' },
  { table: 'inbound_mails', column: 'html', time: 'mailbox_time' },
  { table: 'attachments', column: 'name', time: 'created_at' },
  { table: 'canned_replies', column: 'title', time: 'updated_at' },
  { table: 'canned_replies', column: 'body', time: 'updated_at' },
  { table: 'canned_replies', column: 'variants', time: 'updated_at', isJson: true },
  // Without the person whom it looks for it shows nothing, and two of one user may not have the same name.
  { table: 'saved_views', column: 'name', time: 'updated_at', isWhole: true },
  { table: 'saved_views', column: 'filter', time: 'updated_at', isJson: true, isWhole: true },
]

interface Mention {
  readonly place: Place
  /** Sorts the rows of its table, and is unique in it. */
  readonly key: string
  readonly message_id: string | null
  /** Whose message it is: their own address is no mention. */
  readonly sender: string | null
  readonly text: string
  readonly time: string
}

/** Whether a mention of an address at a given time must be deleted. */
type IsErased = (address: string, time: string) => boolean

/** The texts that contain something, in any case. */
export async function* findMentions(db: Database, containing: string): AsyncGenerator<Mention> {
  for (const place of places) yield* search(db, place, containing)
}

/**
 * Removes people from the conversations with others: from the copies of replies, sent or not, and from what staff wrote.
 * A message of the same address goes as a whole, or stays as a whole because it came later.
 * Outside of a transaction, each text is changed by itself, so that nobody waits.
 * @param containing a part of every address that `isErased` can say yes to
 * @returns from how many texts
 */
export async function eraseMentions(db: Database, isErased: IsErased, containing = '@'): Promise<number> {
  const count = await eraseAll(db, findMentions(db, containing), isErased)
  return count + (await eraseMails(db, isErased, containing))
}

/** The same for what was written since a time, and what is being written: with nothing to search behind that, it is quick. */
export async function eraseNewMentions(db: Database, since: Date, isErased: IsErased, containing: string) {
  let count = 0
  for (const place of places) {
    await waitForWriters(db, place)
    for (const isNew of newIn(place, since))
      count += await eraseAll(db, search(db, place, containing, isNew), isErased)
  }
  return count + (await eraseMails(db, isErased, containing, since))
}

/**
 * On PostgreSQL, what another transaction has written is seen only after its commit. SQLite has one writer. The lock is
 * released at once: a change of a text locks other tables, which others lock before this one.
 */
async function waitForWriters(db: Database, { table }: Place): Promise<void> {
  if (!isPostgres(db)) return
  await inTransaction(db, transaction =>
    sql`lock table ${sql.table(table)} in share mode`.execute(transaction),
  )
}

/** Each by an index, where there may be many. */
function newIn({ table }: Place, since: Date): RawBuilder<SqlBool>[] {
  const time = since.toISOString()
  const isLater = sql<SqlBool>`id >= ${firstIdAt(since)}`
  if (table === 'message_tags')
    return [sql<SqlBool>`message_id in (select message_id from entries where ${isLater})`]
  if (table === 'participants' || table === 'scheduled_replies') return [sql<SqlBool>`created_at >= ${time}`]
  if (table === 'inbound_mails') return [receivedSince(time)]
  if (table === 'erasure_requests') return [sql<SqlBool>`coalesce(refused_at, requested_at) >= ${time}`]
  if (['drafts', 'canned_replies', 'saved_views'].includes(table))
    return [sql<SqlBool>`updated_at >= ${time}`]
  if (table !== 'outbox') return [isLater]
  // What a provider said is written later than the email.
  return [isLater, sql<SqlBool>`state = 'waiting'`, sql<SqlBool>`state = 'failed' and due_at >= ${time}`]
}

/** @param which of the rows are searched; without it, all */
async function* search(
  db: Database,
  place: Place,
  containing: string,
  which = sql<SqlBool>`1 = 1`,
): AsyncGenerator<Mention> {
  const pattern = `%${containing.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  for (let last: string | null = ''; last !== null; ) {
    const after = sql`${keyOf(place)} > ${last} and ${which}`
    // The key of a tag has no index, so a page of all would read the whole table each time.
    const isSearched = place.isWhole
      ? sql`${after} and lower(${sql.ref(place.column)}) like ${pattern} escape '!'`
      : after
    const rows: RawBuilder<unknown> = select(place, isSearched)
    const found = sql<Omit<Mention, 'place'>>`
      select searched.*, (select messages.email from messages where messages.id = searched.message_id) as sender
      from (${rows}) as searched where lower(text) like ${pattern} escape '!' order by key`
    const end = sql<{ last: string | null }>`select max(key) as last from (${rows}) as searched`
    for (const mention of (await found.execute(db)).rows) yield { ...mention, place }
    last = (await end.execute(db)).rows[0]?.last ?? null
    await new Promise(resolve => setImmediate(resolve))
  }
}

function select(place: Place, which: RawBuilder<unknown>): RawBuilder<unknown> {
  const { table, column, time } = place
  const messageId = table === 'canned_replies' || table === 'saved_views' ? sql`null` : sql`message_id`
  return sql`
    select ${keyOf(place)} as key, ${messageId} as message_id, ${sql.ref(column)} as text,
      ${time === null ? timeOfTag : sql.ref(time)} as time
    from ${sql.table(table)} where ${which} order by ${keyOf(place)} limit ${sql.lit(SEARCHED_AT_ONCE)}`
}

/** When the history last named it; before every erasure if it never did. */
const timeOfTag = sql`coalesce((select max(created_at) from entries where entries.message_id = message_tags.message_id
  and kind = 'event' and replace(detail, tag, '') <> detail), '')`

function keyOf({ table }: Place): RawBuilder<string> {
  if (table === 'message_tags') return sql`(message_id || tag)`
  if (table === 'participants') return sql`(message_id || address)`
  if (table === 'inbound_mails') return sql`entry_id`
  if (table === 'erasure_requests') return sql`message_id`
  if (table === 'scheduled_replies') return sql`(message_id || user_id)`
  return table === 'drafts' ? sql`(message_id || user_id || kind)` : sql`id`
}

async function eraseAll(db: Database, mentions: AsyncIterable<Mention>, isErased: IsErased): Promise<number> {
  let count = 0
  for await (const mention of mentions) if (await erase(db, mention, isErased)) count++
  return count
}

async function erase(db: Database, mention: Mention, isErased: IsErased): Promise<boolean> {
  const { place, key, text, time } = mention
  const sender = comparableAddress(mention.sender ?? '')
  const isMention = (address: string) => comparableAddress(address) !== sender && isErased(address, time)
  const eraseIn = place.table === 'attachments' ? eraseAddressesInName : eraseAddresses
  const redact = (part: string) => eraseIn(part, isMention)
  const redacted = place.isJson && text !== '' ? redactJson(text, redact) : redact(text)
  if (redacted === text) return false
  // In the whole mail, it may be encoded. First, because after the text is changed nothing leads here.
  if (['inbound_mails', 'attachments'].includes(place.table) || place.column === 'body')
    await deleteOriginal(db, key)
  // What staff forward of somebody comes with that person's files.
  if (place.table === 'notes') await deleteAttachments(db, { by: 'entry_id', ids: [key] })
  const column = sql.ref(place.column)
  const isThis = sql`${keyOf(place)} = ${key} and ${column} = ${text}`
  const table = sql.table(place.table)
  const change = place.isWhole ? sql`delete from ${table}` : sql`update ${table} set ${column} = ${redacted}`
  const make = async (database: Database) => await sql`${change} where ${isThis}`.execute(database)
  // Lists have a copy of its beginning.
  const isCopied = place.table === 'entries' && place.column === 'body' && mention.message_id !== null
  const { numAffectedRows } = isCopied
    ? await eraseInConversation(db, mention.message_id, make)
    : await make(db)
  if (numAffectedRows !== 0n) return true
  // Somebody has changed it meanwhile, or deleted it.
  const now = await readAgain(db, mention)
  return now !== null && (await erase(db, { ...mention, text: now }, isErased))
}

async function readAgain(db: Database, { place, key }: Mention): Promise<string | null> {
  const { rows } = await sql<{ text: string | null }>`
    select ${sql.ref(place.column)} as text from ${sql.table(place.table)}
    where ${keyOf(place)} = ${key}`.execute(db)
  return rows[0]?.text ?? null
}

/** With the name beside the address. */
const isPersonErased = (each: unknown) =>
  typeof each === 'object' && each !== null && 'address' in each && each.address === ERASED

/** A list of addresses loses those that are erased: an email cannot be sent to what replaces them in a text. */
function redactJson(text: string, redact: (part: string) => string): string {
  const reviver = (_key: string, value: unknown) => {
    if (typeof value === 'string') return redact(value)
    const isKept = (each: unknown) => each !== ERASED && !isPersonErased(each)
    return Array.isArray(value) ? value.filter(isKept) : value
  }
  return JSON.stringify(JSON.parse(text, reviver))
}

const REFERENCE = /"(LF-[^"]+)"/g

/** The stored replies to repeated requests that name one of these references, page by page. */
export async function* findStoredReplies(db: Database, references: ReadonlySet<string>) {
  if (references.size === 0) return
  const all = db.selectFrom('idempotency_keys').selectAll()
  const read = (after: string) => all.where('key', '>', after).orderBy('key').limit(AT_ONCE).execute()
  for await (const rows of inPages(read, row => row.key)) {
    const named = rows.filter(({ reply }) =>
      [...reply.matchAll(REFERENCE)].some(([, reference = '']) => references.has(reference)),
    )
    if (named.length > 0) yield named
  }
}

/** @returns their keys */
export async function findReplyKeys(db: Database, references: ReadonlySet<string>): Promise<string[]> {
  const keys: string[] = []
  for await (const replies of findStoredReplies(db, references)) keys.push(...replies.map(({ key }) => key))
  return keys
}

/** @returns how many there still were */
export async function deleteStoredReplies(db: Database, keys: readonly string[]): Promise<number> {
  let count = 0
  for (const some of inBatches(keys, AT_ONCE)) {
    const deletion = db.deleteFrom('idempotency_keys').where('key', 'in', some)
    count += Number((await deletion.executeTakeFirst()).numDeletedRows)
  }
  return count
}

/** Removes an erased person from a log entry about what staff did. @param names addresses, ids and references */
export function redactNames(
  { message, details }: Pick<LogRow, 'message' | 'details'>,
  names: readonly string[],
): Pick<LogRow, 'message' | 'details'> {
  const addresses = new Set(names.filter(isAddress).map(comparableAddress))
  const text = `${message} ${details}`.toLowerCase()
  // Few of the thousands that a person may have.
  const others = names.filter(name => !isAddress(name) && text.includes(name.toLowerCase()))
  const redact = (part: string) => {
    const rest = eraseAddresses(part, address => addresses.has(comparableAddress(address)))
    return others.length > 0 ? rest.replace(anyOf(others), ERASED) : rest
  }
  return { message: redact(message), details: redact(details) }
}

const isAddress = (name: string) => name.includes('@')

const anyOf = (names: readonly string[]) =>
  new RegExp(names.map(name => name.replace(/\W/g, '\\$&')).join('|'), 'gi')
