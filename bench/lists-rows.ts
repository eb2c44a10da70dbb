import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { seedLogs, seedMessages } from '../scripts/seeding.ts'
import { createSession } from '../src/auth/session.ts'
import { isPostgres } from '../src/database/engine.ts'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'
import { postgresDialect } from '../src/database/postgres/dialect.ts'
import type { Database, Tables } from '../src/database/tables.ts'
import { indexAll } from '../src/features/inbox/search/index.server.ts'
import { createFirstAdmin } from '../src/features/set-up/first-admin.server.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'

const RARE_WORD = 'kookaburra'
const RARE_REPLY = 'cassowary'
const RARE_NOTE = 'quokka'
/** The percentage of messages whose email failed. */
const FAILED = 2
/** Messages in one digest email. */
const GATHERED = 100
/** Rows behind the cursor of a last page. */
const LAST_PAGE = 100

/** The database of one installation with its rows, and an admin who is signed in to it. */
export interface Filled {
  readonly env: NodeJS.ProcessEnv
  readonly cookie: string
  /** The values of the words in capitals. */
  readonly words: Readonly<Record<'messages' | 'logs', Readonly<Record<string, string>>>>
  /** All read, none suspect, and every email sent. */
  settle(): Promise<void>
  /** How long a plain LIKE takes to find all messages that have these words. */
  readTable(words: readonly string[]): Promise<{ readonly milliseconds: number }>
  remove(): Promise<void>
}

/** @param server the address of a PostgreSQL, or null for SQLite */
export async function fill(
  server: string | null,
  size: { readonly messages: number; readonly logs: number },
): Promise<Filled> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-lists-'))
  const databaseUrl = server && (await createTestDatabase(server))
  const db = await openWithoutTimeout(dataDir, databaseUrl)
  await seedMessages(db, size.messages, () => false)
  await plantRareWord(db)
  await addEmails(db)
  await seedLogs(db, size.logs, () => false)
  await createFirstAdmin(db, systemClock, { adminEmail: 'admin@agency.test', adminPassword: null })
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const long = await addConversations(db, id)
  const cookie = `session=${await createSession(db, systemClock, id, 'bench')}`
  const words = {
    messages: { ...(await wordsOfMessages(db)), LONG: long },
    logs: await wordsOfLogs(db, id),
  }
  await indexAll({ db, clock: systemClock, log: () => {} })
  await tidy(db)
  await db.destroy()
  const reopened = async (work: (db: Database) => Promise<void>) => {
    const again = await openWithoutTimeout(dataDir, databaseUrl)
    await work(again)
    await tidy(again)
    await again.destroy()
  }
  return {
    env: {
      DATA_DIR: dataDir,
      SECRET_KEY: 'a secret of thirty-two characters, or more',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    cookie,
    words,
    settle: () => reopened(settle),
    async readTable(words) {
      const again = await openWithoutTimeout(dataDir, databaseUrl)
      const has = words.map(word => sql`lower(name || ' ' || message) like ${`%${word}%`}`)
      const start = performance.now()
      await sql`select count(*) from messages where ${sql.join(has, sql` and `)}`.execute(again)
      const milliseconds = performance.now() - start
      await again.destroy()
      return { milliseconds }
    },
    async remove() {
      await rm(dataDir, { recursive: true, force: true })
      if (databaseUrl) await dropTestDatabase(databaseUrl)
    },
  }
}

/** @returns the message with a long conversation */
async function addConversations(db: Database, userId: string): Promise<string> {
  // The last characters of an id are random.
  await sql`update messages set
    status = case when substr(id, 36, 1) < '2' then 'waiting' when substr(id, 36, 1) < 'a' then 'closed'
      when substr(id, 36, 1) = 'a' then 'spam' else 'open' end,
    assignee_id = case when substr(id, 35, 1) < '4' then cast(${userId} as text) end,
    snoozed_until = case when substr(id, 34, 1) = '0' then '2999-01-01T00:00:00.000Z' end,
    due_at = case when substr(id, 33, 1) < '8' then created_at end,
    last_activity_at = case when substr(id, 32, 1) < '8' then created_at end`.execute(db)
  await sql`insert into message_tags (message_id, tag)
    select id, 'common' from messages where substr(id, 35, 1) = '5'
    union all select id, 'rare' from messages where substr(id, 33, 4) = '5555'`.execute(db)
  const { id } = await db.selectFrom('messages').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const entries = Array.from({ length: 500 }, (_, at) => ({
    ...({ id: newId(systemClock()), message_id: id, seq: at + 1, kind: at % 2 ? 'reply' : 'call' } as const),
    ...{
      author_id: userId,
      body: 'What somebody says. '.repeat(50),
      created_at: systemClock().toISOString(),
    },
  }))
  await db.insertInto('entries').values(entries).execute()
  await addEntries(db, userId, id)
  return id
}

/** Four replies and calls of every message and an event; a note of every sixteenth; and one rare word in each kind of text. */
async function addEntries(db: Database, userId: string, except: string) {
  const body = sql`'Dear visitor, thank you for your enquiry of last week. We have looked at the occupation list, and would need your '
    || 'skills assessment, a test of English and the passport before we can say more. Reply ' || number || ' of the office.'`
  await sql`insert into entries (id, message_id, seq, kind, author_id, body, created_at)
    select messages.id || '-' || number, messages.id, number,
      case number when 5 then 'event' when 4 then 'call' else 'reply' end, cast(${userId} as text),
      case number when 5 then 'read' else ${body} end, created_at
    from messages cross join (select 1 as number union select 2 union select 3 union select 4 union select 5) as numbers
    where messages.id <> ${except}`.execute(db)
  await sql`insert into notes (id, message_id, author_id, body, created_at)
    select id, id, cast(${userId} as text), 'Seems to be in a hurry, and asks for Ms Tan.', created_at
    from messages where substr(id, 34, 1) = '7'`.execute(db)
  const { id } = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '<>', except)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const said = sql`body || ${` ${RARE_REPLY}`}`
  await sql`update entries set body = ${said} where message_id = ${id} and seq = 2`.execute(db)
  const note = { id: newId(systemClock()), message_id: id, author_id: userId, body: `A ${RARE_NOTE}, 移民` }
  await db
    .insertInto('notes')
    .values({ ...note, created_at: systemClock().toISOString() })
    .execute()
}

/** The product gives a statement five seconds, which is too short to fill a table on a busy machine. */
async function openWithoutTimeout(dataDir: string, databaseUrl: string | null): Promise<Database> {
  const db = await openDatabase({ dataDir, databaseUrl })
  if (!databaseUrl) return db
  await db.destroy()
  return new Kysely<Tables>({ dialect: postgresDialect(databaseUrl, 'patient') })
}

/** In the oldest message, in one in the middle, and in the newest. */
async function plantRareWord(db: Database) {
  const { count } = await db
    .selectFrom('messages')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  for (const offset of [0, Math.floor(Number(count) / 2), Number(count)]) {
    const rows = db.selectFrom('messages').selectAll().orderBy('id').limit(1)
    const like = await rows.offset(Math.min(offset, Number(count) - 1)).executeTakeFirstOrThrow()
    const id = newId(new Date(Date.parse(like.created_at) + 1))
    const message = `We saw a ${RARE_WORD} from the office.`
    await db
      .insertInto('messages')
      .values({ ...like, id, reference: `LF-${id}`, message })
      .execute()
  }
}

/** Each message has its own email, except the unverified ones, which share digests. */
async function addEmails(db: Database) {
  const now = new Date().toISOString()
  const numbered = sql`select id, verification, row_number() over (order by id) as number from messages`
  const state = (part: number) =>
    sql`case when number % ${sql.lit(100 / part)} = 0 then 'failed' else 'sent' end`
  const columns = sql`insert into outbox (id, kind, message_id, email, state, attempts, due_at, created_at)`
  await sql`${columns} select 'own-' || id, 'notice', id, '{}', ${state(FAILED)}, 1, cast(${now} as text), cast(${now} as text)
    from (${numbered}) as numbered where verification not like 'unverified:%'`.execute(db)
  const gathered = sql`select id, (row_number() over (order by id) - 1) / ${sql.lit(GATHERED)} as number
    from messages where verification like 'unverified:%'`
  await sql`${columns} select distinct 'shared-' || number, 'digest', cast(null as text), '{}', ${state(FAILED)}, 1, cast(${now} as text),
    cast(${now} as text) from (${gathered}) as gathered`.execute(db)
  await sql`insert into digest_items (message_id, email_id, created_at)
    select id, 'shared-' || number, cast(${now} as text) from (${gathered}) as gathered`.execute(db)
}

async function settle(db: Database) {
  await db.updateTable('messages').set({ is_read: 1 }).where('is_read', '=', 0).execute()
  await db
    .updateTable('messages')
    .set({ verification: 'verified' })
    .where('verification', 'like', 'suspect:%')
    .execute()
  await db.updateTable('outbox').set({ state: 'sent' }).where('state', '=', 'failed').execute()
}

/** What PostgreSQL does by itself within minutes, and Landfall on SQLite within the hour. */
async function tidy(db: Database) {
  if (isPostgres(db)) await sql`vacuum analyze`.execute(db)
}

async function wordsOfMessages(db: Database) {
  const LAST = await lastCursor(db, 'messages')
  const one = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '>', LAST)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const phone = one.phone ?? ''
  return {
    ...{ LAST, RARE: RARE_WORD, EMAIL: one.email, REFERENCE: one.reference },
    ...{ PHONE: phone, NATIONAL: phone.replace('+61 ', '0') },
  }
}

/** The user did part of what was logged; the oldest entry has the rare word. */
async function wordsOfLogs(db: Database, userId: string) {
  const oldest = db.selectFrom('logs').select('id').orderBy('id').limit(1)
  await db.updateTable('logs').set({ user_id: userId }).where('source', '=', 'Auth').execute()
  await db.updateTable('logs').set({ message: RARE_WORD }).where('id', '=', oldest).execute()
  return { LAST: await lastCursor(db, 'logs'), LOGGED: RARE_WORD, USER: userId }
}

async function lastCursor(db: Database, table: 'messages' | 'logs'): Promise<string> {
  const oldest = db.selectFrom(table).select('id').orderBy('id').offset(LAST_PAGE).limit(1)
  return (await oldest.executeTakeFirstOrThrow()).id
}
