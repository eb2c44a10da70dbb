import { CompiledQuery, sql } from 'kysely'
import { hashPassword } from '../src/auth/password.ts'
import { newToken } from '../src/auth/session.ts'
import type { Flag } from '../src/database/account-tables.ts'
import { isPostgres } from '../src/database/engine.ts'
import { firstIdAt, newId } from '../src/database/id.ts'
import type { Database, EnquiryRow, LogRow, Tables } from '../src/database/tables.ts'
import { ALPHABET, formatReference } from '../src/features/enquiry-form/reference.server.ts'
import { randomFrom } from '../tests/support/random.ts'
import * as words from './seed-words.ts'

/** Every seeded person has an address at this host and no real person does, so seeded rows can be recognised. */
export const SEED_HOST = 'seed.example'

/** Rows in one insert; PostgreSQL takes 65,535 values in one, SQLite 32,766. */
const ROWS_PER_STATEMENT = 1000
const DAY = 86_400_000
/** Days into the past over which rows are spread. */
const MESSAGES_SPAN = 730
const LOGS_SPAN = 90

/** The same rows in every run, so that two measurements compare. */
const random = randomFrom('seeded rows')
const below = (limit: number) => Math.floor(random() * limit)

/** Called after each batch with the number of rows written. @returns whether to stop */
type Progress = (written: number) => boolean

/** Enquiries of the last two years. @returns how many were written */
export async function seedMessages(db: Database, count: number, progress: Progress): Promise<number> {
  // Those of an earlier seeding have other references.
  const first = Date.now() % ALPHABET.length ** 8
  return await insertRows(db, 'messages', count, progress, at =>
    messageAt(timeOf(at, count, MESSAGES_SPAN), at, first),
  )
}

/** Log entries of the last ninety days. @returns how many were written */
export async function seedLogs(db: Database, count: number, progress: Progress): Promise<number> {
  return await insertRows(db, 'logs', count, progress, at => entryAt(timeOf(at, count, LOGS_SPAN)))
}

/** Members of staff, most of them viewers, who cannot sign in: nobody knows their password. */
export async function seedUsers(db: Database, count: number, progress: Progress): Promise<number> {
  const password_hash = await hashPassword(newToken())
  // Those of an earlier seeding have other addresses.
  const batch = newToken()
    .slice(0, 6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x')
  return await insertRows(db, 'users', count, progress, at => {
    const time = timeOf(at, count, MESSAGES_SPAN)
    const [first, last] = [pick(words.firstNames), pick(words.lastNames)]
    return {
      id: newId(time),
      email: `${first}.${last}.${batch}${at}@${SEED_HOST}`.toLowerCase(),
      name: `${first} ${last}`,
      role: pick(['viewer', 'viewer', 'viewer', 'editor', 'admin'] as const),
      password_hash,
      is_default: 0 as Flag,
      email_verified: 1 as Flag,
      failed_sign_ins: 0,
      locked_until: null,
      created_at: time.toISOString(),
    }
  })
}

/**
 * Writes rows from the oldest to the newest, each batch in a transaction: stopping it leaves whole rows behind. The
 * statement is built once, because building it costs more than running it.
 */
async function insertRows<Row extends object>(
  db: Database,
  table: keyof Tables,
  count: number,
  progress: Progress,
  rowAt: (at: number) => Row,
): Promise<number> {
  if (!isPostgres(db)) await speedUpSqlite(db)
  let statement = { size: 0, sql: '' }
  for (let written = 0; written < count; ) {
    const size = Math.min(ROWS_PER_STATEMENT, count - written)
    const rows = Array.from({ length: size }, (_, index) => rowAt(written + index))
    if (statement.size !== size)
      statement = { size, sql: insertStatement(db, table, Object.keys(rows[0] ?? {}), size) }
    const values = rows.flatMap(row => Object.values(row))
    await db.executeQuery(CompiledQuery.raw(statement.sql, values))
    written += size
    // On SQLite nothing else yields, and Ctrl+C would have no effect.
    await new Promise(resolve => setImmediate(resolve))
    if (progress(written)) return written
  }
  return count
}

/** A power cut may take the last batches, never half of one; and the indexes fit into memory. */
async function speedUpSqlite(db: Database) {
  await sql`pragma synchronous = normal`.execute(db)
  await sql`pragma cache_size = -200000`.execute(db)
  await sql`pragma wal_autocheckpoint = 20000`.execute(db)
}

function insertStatement(
  db: Database,
  table: keyof Tables,
  columns: readonly string[],
  size: number,
): string {
  const names = columns.map(column => `"${column}"`).join(', ')
  const numbered = isPostgres(db)
  const row = (at: number) =>
    columns.map((_, column) => (numbered ? `$${at * columns.length + column + 1}` : '?')).join(', ')
  const rows = Array.from({ length: size }, (_, at) => `(${row(at)})`)
  return `insert into "${table}" (${names}) values ${rows.join(', ')}`
}

/** The `at`-th of `count` times, evenly spread up to now. */
function timeOf(at: number, count: number, days: number): Date {
  return new Date(Date.now() - days * DAY * (1 - (at + 1) / count))
}

function messageAt(time: Date, at: number, firstReference: number): EnquiryRow {
  const [first, last] = [pick(words.firstNames), pick(words.lastNames)]
  const form_type = pick(['contact', 'contact', 'visa-assessment', 'visa-assessment', 'tracking'] as const)
  return {
    id: newId(time),
    reference: referenceAt(at, firstReference),
    form_type,
    name: `${first} ${last}`,
    email: `${first}.${last}.${at}@${SEED_HOST}`.toLowerCase(),
    phone: `+61 4${10_000_000 + below(89_999_999)}`,
    service:
      form_type === 'tracking' ? null : pick(['family', 'skilled', 'business', 'investor', 'other'] as const),
    message: `${pick(words.openings)} ${pick(words.questions)} ${pick(words.closings)}`,
    is_read: below(20) > 0 ? 1 : 0,
    verification: pick(words.verifications),
    created_at: time.toISOString(),
    details: form_type === 'visa-assessment' ? JSON.stringify({ occupation: pick(words.occupations) }) : null,
    due_at: null,
    due_rule: null,
    reply_key: null,
  }
}

/**
 * References that look like any other and are all different: of a million that were drawn, several would be the same.
 * The step has no factor in common with the number of references there are.
 */
function referenceAt(at: number, first: number): string {
  let rest = (first + at * 1_000_003) % ALPHABET.length ** 8
  let characters = ''
  while (characters.length < 8) {
    characters = `${ALPHABET[rest % ALPHABET.length]}${characters}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return formatReference(characters)
}

function entryAt(time: Date): LogRow {
  const [level, source, message] = pick(words.logEntries)
  return {
    id: newId(time),
    level,
    source,
    message,
    details: JSON.stringify({ requestId: firstIdAt(time), seeded: true }),
    ip_address: `203.0.113.${below(256)}`,
    user_id: null,
    user_agent: pick(words.browsers),
    created_at: time.toISOString(),
  }
}

function pick<T>(choices: readonly [T, ...T[]]): T {
  return choices[below(choices.length)] ?? choices[0]
}
