import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.ts'
import { seedLogs, seedMessages } from '../scripts/seeding.ts'
import { systemClock } from '../src/clock.ts'
import { openDatabase } from '../src/database/open.ts'
import type { Database } from '../src/database/tables.ts'
import { createFirstAdmin } from '../src/features/users/first-admin.server.ts'
import { beginSession } from '../src/http/session.ts'
import { createTestDatabase, dropTestDatabase } from '../src/testing/database.ts'
import { type Measured, startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** A list may take this many times longer with a full table than with an almost empty one. */
const MOST_RATIO = 2
/** Milliseconds below which a difference is the machine's and not the list's. */
const NOISE = 1
const SIZES = {
  small: { messages: 1_000, logs: 1_000 },
  large: { messages: 100_000, logs: 1_000_000 },
}
const ROUNDS = 40
const SECRET_KEY = 'a secret of thirty-two characters, or more'

/** One installation with its rows, and an admin signed in to it. */
interface Filled {
  readonly server: Measured
  readonly cookie: string
  readonly lastPages: Readonly<Record<'messages' | 'logs', string>>
  close(): Promise<void>
}

/** First page, every filter and the last page of both lists, with few rows and with many, on both engines. */
export async function measure(): Promise<boolean> {
  const rows = [['list', 'few rows, ms', 'many rows, ms', 'ratio']]
  const verdicts: boolean[] = []
  const postgres = process.env.TEST_DATABASE_URL ? null : await startPostgres(false)
  if (postgres) process.env.TEST_DATABASE_URL = postgres.url
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    if (engine === 'PostgreSQL' && !process.env.TEST_DATABASE_URL) {
      rows.push(['PostgreSQL is not installed here'])
      continue
    }
    rows.push([`${engine}:`])
    const small = await fill(engine, SIZES.small)
    const large = await fill(engine, SIZES.large)
    for (const path of paths()) {
      const compared = await compare(path, small, large)
      rows.push(compared.row)
      verdicts.push(compared.isGood)
    }
    await small.close()
    await large.close()
  }
  postgres?.stop()
  printTable(rows)
  return verdicts.every(Boolean)
}

/** `LAST` stands for the cursor of the last page, which is another in each database. */
function paths(): string[] {
  return [
    '/api/messages',
    '/api/messages?cursor=LAST',
    ...['contact', 'tracking', 'visa-assessment', 'auth'].map(type => `/api/messages?formType=${type}`),
    '/api/messages?isRead=false',
    '/api/messages?isRead=true',
    '/api/messages?isRead=false&formType=tracking',
    '/api/messages?verification=suspect',
    '/api/messages?q=nurse',
    '/api/messages?q=nowhere-to-be-found',
    '/api/logs',
    '/api/logs?cursor=LAST',
    ...['debug', 'info', 'critical'].map(level => `/api/logs?level=${level}`),
    ...['FormService', 'API'].map(source => `/api/logs?source=${source}`),
    '/api/logs?level=warning&source=Auth',
    '/api/logs?level=critical&source=Auth',
    '/api/logs?level=critical&source=API&cursor=LAST',
  ]
}

async function compare(path: string, small: Filled, large: Filled) {
  const few: number[] = []
  const many: number[] = []
  // In turns, so that whatever else the machine does meets both alike; the first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const [one, other] = [await time(path, small), await time(path, large)]
    if (round > 0) few.push(one)
    if (round > 0) many.push(other)
  }
  const ratio = median(many) / median(few)
  const isGood = ratio <= MOST_RATIO || median(many) - median(few) < NOISE
  const verdict = `${ratio.toFixed(2)} ${isGood ? '' : 'BAD '}(≤ ${MOST_RATIO})`
  return { isGood, row: [path, median(few).toFixed(1), median(many).toFixed(1), verdict] }
}

/** Milliseconds until the whole answer is there. */
async function time(path: string, { server, cookie, lastPages }: Filled): Promise<number> {
  const last = path.startsWith('/api/logs') ? lastPages.logs : lastPages.messages
  const start = performance.now()
  const response = await fetch(`${server.url}${path.replace('LAST', last)}`, { headers: { cookie } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return performance.now() - start
}

async function fill(engine: 'SQLite' | 'PostgreSQL', size: (typeof SIZES)['small']): Promise<Filled> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-lists-'))
  const databaseUrl = engine === 'PostgreSQL' ? await createTestDatabase() : null
  const db = await openDatabase({ dataDir, databaseUrl })
  await seedMessages(db, size.messages, () => false)
  await seedLogs(db, size.logs, () => false)
  await createFirstAdmin(db, systemClock, { adminEmail: 'admin@agency.test', adminPassword: null })
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await beginSession(db, systemClock, id, 'bench')}`
  const lastPages = { messages: await lastCursor(db, 'messages'), logs: await lastCursor(db, 'logs') }
  await db.destroy()
  const server = await startLandfall({
    DATA_DIR: dataDir,
    SECRET_KEY,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  return {
    server,
    cookie,
    lastPages,
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
      if (databaseUrl) await dropTestDatabase(databaseUrl)
    },
  }
}

/** A hundred rows lie beyond it. */
async function lastCursor(db: Database, table: 'messages' | 'logs'): Promise<string> {
  const oldest = db.selectFrom(table).select('id').orderBy('id').offset(100).limit(1)
  return (await oldest.executeTakeFirstOrThrow()).id
}
