import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { comparedDigits } from '../../database/compared-phone.ts'
import type { Database } from '../../database/tables.ts'
import { comparableAddress, namesAny, partOfAddress } from '../../erasure/addresses.ts'
import { findMentions, findStoredReplies } from '../../erasure/mentions.ts'
import { isoAfter } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import {
  findEntriesWith,
  findMergedApart,
  findMessagesByPhone,
  findMessagesFrom,
  type Offered,
} from './store.server.ts'

type Row = Readonly<Record<string, unknown>>

export interface HeldData {
  /** The address or the phone number. */
  readonly person: string
  readonly when: string
  /** Rows about the messages of the person, by table: `messages`, every table that names a message, and the bytes of attachments. */
  readonly tables: Readonly<Record<string, readonly Row[]>>
  /** Where the conversations with others name the person. */
  readonly mentions: readonly Row[]
  /** Stored replies to repeated requests. */
  readonly storedReplies: readonly Row[]
  readonly logs: readonly Row[]
  readonly files: readonly string[]
  /** The account of a member of staff with this address, without secrets. */
  readonly accounts: readonly Row[]
  /**
   * Messages that may be somebody else's, of which nothing is in the rest: they are merged with one of the person but came
   * from another address, or have only the phone number. Not for the person to read.
   */
  readonly leftOut: Offered['leftOut']
}

type Needed = Pick<Services, 'db' | 'clock' | 'config'>

/**
 * Finds all that is stored about an email address, however it was spelled. Of a phone number, with or without its country, it
 * finds the messages, and includes those that are chosen: several people may share it. Decision 051.
 * @param person an address or a phone number of at least eight digits
 * @param include references of what would be left out @throws {NotOffered} for others
 */
export async function findHeldData(
  { db, clock, config }: Needed,
  person: string,
  include: readonly string[] = [],
): Promise<HeldData> {
  const isEmail = person.includes('@')
  const own = isEmail ? await findMessagesFrom(db, person) : []
  const { chosen, leftOut } = isEmail
    ? await findMergedApart(db, own, include)
    : await findMessagesByPhone(db, person, include)
  const messages = [...own, ...chosen]
  const ids = messages.map(({ id }) => id)
  const references = messages.map(({ reference }) => reference)
  const names = [...(isEmail ? [person] : []), ...ids, ...references]
  return {
    person,
    when: isoAfter(clock),
    tables: await readTables(db, ids),
    mentions: isEmail ? await readMentions(db, person, ids) : [],
    storedReplies: await readStoredReplies(db, references),
    logs: (names.length > 0 ? await findEntriesWith(db, names, () => {}) : []).map(row => ({ ...row })),
    files:
      names.length > 0 && existsSync(config.dataDir)
        ? await findFiles(join(config.dataDir, 'mail'), names)
        : [],
    accounts: isEmail ? await readAccounts(db, person) : [],
    leftOut,
  }
}

/** Null for what is neither an address nor a phone number. */
export function isSearchable(person: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(person) || comparedDigits(person) !== null
}

/** Tables are found by their columns, so that none is forgotten that comes later. */
async function readTables(db: Database, ids: readonly string[]): Promise<HeldData['tables']> {
  const tables: Record<string, readonly Row[]> = {}
  for (const { name, columns } of await db.introspection.getTables()) {
    const column = name === 'messages' ? 'id' : columns.find(it => it.name === 'message_id')?.name
    if (!column) continue
    const rows = ids.length > 0 ? await readRows(db, name, column, ids) : []
    if (rows.length > 0) tables[name] = rows
  }
  const blobs = (tables.attachments ?? []).flatMap(({ sha256 }) => (typeof sha256 === 'string' ? sha256 : []))
  if (blobs.length > 0) tables.blob_chunks = await readRows(db, 'blob_chunks', 'sha256', blobs)
  return tables
}

async function readRows(db: Database, table: string, column: string, ids: readonly string[]) {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join(ids)})`.execute(db)
  return rows.map(row => ({ ...row }))
}

async function readMentions(db: Database, person: string, ids: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for await (const { place, key: _, sender: _s, ...mention } of findMentions(db, partOfAddress(person))) {
    const isOfOthers = mention.message_id === null || !ids.includes(mention.message_id)
    if (isOfOthers && namesAny(mention.text, [person])) found.push({ table: place.table, ...mention })
  }
  return found
}

async function readStoredReplies(db: Database, references: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for await (const replies of findStoredReplies(db, new Set(references))) found.push(...replies)
  return found
}

async function readAccounts(db: Database, email: string): Promise<Row[]> {
  return await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'inbox', 'email_verified', 'signature', 'created_at'])
    .where(eb => eb(eb.fn<string>('lower', ['email']), '=', comparableAddress(email)))
    .execute()
}

/** The local mailbox keeps emails as files with the address or the reference in their headers. @returns their paths */
export async function findFiles(folder: string, names: readonly string[]): Promise<string[]> {
  if (!existsSync(folder)) return []
  const found: string[] = []
  for (const name of await readdir(folder)) {
    // It may be gone by now.
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (namesAny(text, names)) found.push(join(folder, name))
  }
  return found
}
