import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { comparedDigits, comparedPhone } from '../../database/compared-phone.ts'
import { isPostgres } from '../../database/engine.ts'
import { firstIdAt } from '../../database/id.ts'
import { lock } from '../../database/locks.ts'
import type { Database, LogRow, Tables } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { comparableAddress, namesOneOf, partOfAddress } from '../../erasure/addresses.ts'
import type { ErasedList } from '../../erasure/erased-list.ts'
import { redactNames } from '../../erasure/mentions.ts'
import { type Apart, deleteMessages, findApart, withMerged } from '../../erasure/with-merged.ts'
import type { Clock } from '../../platform/clock.ts'

/** Messages erased in one transaction: on SQLite, everyone else who writes waits for it. */
const ERASED_AT_ONCE = 200
/** Log entries searched in one statement; a search over all could exceed the statement timeout. */
const SEARCHED_AT_ONCE = 20_000
/**
 * Texts that the database searches for. It compares each entry with each of them, and SQLite takes a thousand at most; for
 * more, entries are read and searched here.
 */
const MAX_SEARCHED_TEXTS = 50

/** A message of the person, as far as erasing them needs it. */
export interface FoundMessage {
  readonly id: string
  readonly reference: string
}

/** Chooses messages whose time is over. */
type Choose = (messages: MessagesQuery) => MessagesQuery

type MessagesQuery = SelectQueryBuilder<Tables, 'messages', { id: string }>

/**
 * Messages that came before `before` and that nobody has opened, or done anything with. @param since what was already
 * chosen by an earlier run: a message from before that came since then, by a clock that was behind, and stays.
 */
export function unreadBefore(before: Date, since: Date): Choose {
  return messages =>
    messages
      .where('id', '>=', firstIdAt(since))
      .where('is_read', '=', 0)
      .where('last_activity_at', 'is', null)
      .where('id', '<', firstIdAt(before))
      .orderBy('id')
}

/** Messages, read or not, that have been spam since before `before`; with `since` as above. */
export function spamBefore(before: Date, since: Date): Choose {
  return messages =>
    messages
      .where('status_since', '>=', since.toISOString())
      // As an index of spam has it, in the text and not as a parameter.
      .where(sql<SqlBool>`status = 'spam'`)
      .where('status_since', '<', before.toISOString())
      .orderBy('status_since')
}

/**
 * Erases messages that are chosen, with their emails. `conclude` runs in the transaction of the last batch.
 * @returns how many
 */
export async function eraseExpired(
  { db, clock, erased }: { db: Database; clock: Clock; erased: ErasedList },
  choose: Choose,
  conclude: (transaction: Transaction, count: number) => Promise<void>,
  isStopped: () => boolean,
): Promise<number> {
  let count = 0
  for (let isDone = false; !isDone; ) {
    await inTransaction(db, async transaction => {
      await lock(transaction, 'conversations')
      const oldest = choose(transaction.selectFrom('messages').select('id'))
        .limit(ERASED_AT_ONCE)
        // Nobody opens one of them in between; SQLite has one writer.
        .$if(isPostgres(db), query => query.forUpdate())
      const chosen = (await oldest.execute()).map(({ id }) => id)
      const ids = await withMerged(transaction, chosen)
      await erased.addExpired(transaction, ids)
      await eraseMessages(transaction, clock, ids)
      count += ids.length
      isDone = chosen.length < ERASED_AT_ONCE || isStopped()
      if (isDone) await conclude(transaction, count)
    })
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
  return count
}

/** The messages that came from an address, however it was spelled, merged or not. */
export async function findMessagesFrom(db: Database, email: string): Promise<FoundMessage[]> {
  const address = comparableAddress(email)
  const found = await db
    .selectFrom('messages')
    // A message has no address where none of our emails could reach its sender. The mail that began it has one.
    .leftJoin('inbound_mails', join =>
      join.onRef('inbound_mails.entry_id', '=', 'messages.id').on('messages.email', '=', ''),
    )
    .select(['messages.id', 'messages.reference', 'messages.email', 'inbound_mails.from_address'])
    .where(eb => eb(eb.fn<string>('lower', ['messages.email']), 'in', [address, '']))
    .orderBy('messages.id')
    .execute()
  return found
    .filter(row => comparableAddress(row.email || (row.from_address ?? '')) === address)
    .map(({ id, reference }) => ({ id, reference }))
}

/** Messages that may be of a person, and those of them that somebody has chosen, knowing that they are. */
export interface Offered {
  readonly chosen: readonly Apart[]
  readonly leftOut: readonly Apart[]
}

/**
 * What is merged with the messages of a person and came from another address. It may be of somebody else, so it is only
 * included by its reference. @throws {NotOffered} for another reference
 */
export async function findMergedApart(
  db: Database,
  own: readonly FoundMessage[],
  include: readonly string[],
): Promise<Offered> {
  return chooseFrom(
    await findApart(
      db,
      own.map(({ id }) => id),
    ),
    include,
  )
}

/** The messages with a phone number, which several people may share, so each is only included by its reference. */
export async function findMessagesByPhone(db: Database, phone: string, include: readonly string[]) {
  const found = await db
    .selectFrom('messages')
    .select(['id', 'reference', 'name', 'email'])
    .where(sql<SqlBool>`${comparedPhone(db)} = ${comparedDigits(phone)}`)
    .orderBy('id')
    .execute()
  return chooseFrom(found, include)
}

export class NotOffered extends Error {
  constructor(reference: string) {
    super(`${reference} is not one of the enquiries that can be included`)
  }
}

function chooseFrom(offered: readonly Apart[], include: readonly string[]): Offered {
  const wanted = new Set(include.map(reference => reference.toUpperCase()))
  const isChosen = ({ reference }: Apart) => wanted.has(reference.toUpperCase())
  const known = new Set(offered.map(({ reference }) => reference.toUpperCase()))
  for (const reference of wanted) if (!known.has(reference)) throw new NotOffered(reference)
  return { chosen: offered.filter(isChosen), leftOut: offered.filter(message => !isChosen(message)) }
}

export async function countEmailsAbout(db: Database, messageIds: readonly string[]): Promise<number> {
  if (messageIds.length === 0) return 0
  const row = await db
    .selectFrom('outbox')
    .select(eb => eb.fn.countAll().as('count'))
    .where('message_id', 'in', messageIds)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * The log entries that contain one of these texts, in any case; searches the log after an id, window by window.
 * @param onProgress gets the number of searched entries before each window; what it throws ends the search
 */
export async function findEntriesWith(
  db: Database,
  texts: readonly string[],
  onProgress: (entries: number) => void,
  from = '',
): Promise<LogRow[]> {
  const found: LogRow[] = []
  const isNamed = namesOneOf(texts)
  let after = from
  let seen = 0
  for (;;) {
    onProgress(seen)
    seen += SEARCHED_AT_ONCE
    // On SQLite a search blocks the event loop, so an interruption is handled here.
    await new Promise(resolve => setImmediate(resolve))
    const window = db
      .selectFrom('logs')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(SEARCHED_AT_ONCE)
    const rows = await db
      .selectFrom(window.as('line'))
      .selectAll()
      .$if(texts.length <= MAX_SEARCHED_TEXTS, query => query.where(eb => eb.or(texts.map(holds))))
      .execute()
    // The database also finds longer addresses that end with this one.
    found.push(...rows.filter(({ message, details }) => isNamed(`${details} ${message}`)))
    const last = await db
      .selectFrom(window.as('line'))
      .select(eb => eb.fn.max('id').as('id'))
      .executeTakeFirst()
    if (!last?.id) return found
    after = last.id
  }
}

function holds(text: string) {
  const part = text.includes('@') ? partOfAddress(text) : text.toLowerCase()
  const pattern = `%${part.replace(/[!%_]/g, '!$&')}%`
  return sql<boolean>`lower(details || ' ' || message) like ${pattern} escape '!'`
}

/** Locks messages of a person and what has been merged into them since they were found. @returns all of them */
export async function lockMessages(transaction: Database, ids: readonly string[]): Promise<FoundMessage[]> {
  if (ids.length === 0) return []
  await lock(transaction, 'conversations')
  return await transaction
    .selectFrom('messages')
    .select(['id', 'reference'])
    .where('id', 'in', await withMerged(transaction, ids))
    .$if(isPostgres(transaction), query => query.forUpdate())
    .execute()
}

/** Deletes messages and all emails about them, and that their senders got one. */
export async function eraseMessages(transaction: Transaction, clock: Clock, ids: readonly string[]) {
  if (ids.length === 0) return
  await transaction.deleteFrom('acknowledgements').where('message_id', 'in', ids).execute()
  await deleteMessages(transaction, clock, ids)
}

export async function eraseEntry(transaction: Database, id: string): Promise<void> {
  await transaction.deleteFrom('logs').where('id', '=', id).execute()
}

/** An entry that another erasure has changed since it was read is read and redacted again. */
export async function redactEntry(db: Database, entry: LogRow, names: readonly string[]): Promise<void> {
  const { id, message, details } = entry
  const { numUpdatedRows } = await db
    .updateTable('logs')
    .set(redactNames(entry, names))
    .where(eb => eb.and({ id, message, details }))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const now = await db.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst()
  if (now) await redactEntry(db, now, names)
}
