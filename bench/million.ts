import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startPostgres } from '../scripts/postgres.ts'
import { seedLogs, seedMessages } from '../scripts/seeding.ts'
import { openDatabase } from '../src/database/open.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { openMailSink } from '../tests/support/smtp-sink.ts'
import { databaseEnv, type Round, run } from './enquiries.ts'
import { startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

const ROWS = 1_000_000
/** An enquiry may cost this multiple of its cost on an empty database. */
const MAX_RATIO = 1.3
/** Short rounds in turns, so that other load on the machine affects both alike. */
const ROUNDS = 9
const SECONDS = 3
/** The same statements for both: with more clients, the number that share a commit would vary. */
const CLIENTS = 8

/** `POST /api/contact` with a million messages and a million log entries, and with none. */
export async function measure(): Promise<boolean> {
  const postgres = await startPostgres()
  try {
    const onSqlite = await compare('SQLite', null)
    if (postgres) return (await compare('PostgreSQL', postgres.url)) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so it was not measured.\n')
    return onSqlite
  } finally {
    postgres?.stop()
  }
}

async function compare(engine: string, server: string | null): Promise<boolean> {
  const mailServer = await openMailSink()
  const mailEnv = { SMTP_URL: mailServer.url, MAIL_FROM: 'desk@agency.test' }
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-million-'))
  const databaseUrl = server && (await createTestDatabase(server))
  process.stderr.write(`${engine}: filling …\n`)
  await fill(dataDir, databaseUrl)
  const none = await startLandfall({
    ...mailEnv,
    ...databaseEnv(server && (await createTestDatabase(server))),
  })
  const million = await startLandfall({ ...mailEnv, ...databaseEnv(databaseUrl), DATA_DIR: dataDir })
  const [loaded, alone]: [Round[], Round[]] = [[], []]
  // The first of each is to warm up: code is compiled, pages are in memory.
  for (let round = 0; round <= ROUNDS; round++) {
    process.stderr.write(`\r${engine}: round ${round} of ${ROUNDS} `)
    const [one, other] = [await run(none, SECONDS, CLIENTS), await run(million, SECONDS, CLIENTS)]
    if (round > 0) alone.push(one)
    if (round > 0) loaded.push(other)
  }
  process.stderr.write('\r')
  await Promise.all([none.close(), million.close(), mailServer.close()])
  await rm(dataDir, { recursive: true, force: true })
  return judge(engine, alone, loaded)
}

function judge(engine: string, alone: readonly Round[], loaded: readonly Round[]): boolean {
  const ratios = alone.map(({ perSecond }, round) => perSecond / (loaded[round]?.perSecond ?? Number.NaN))
  const isGood = median(ratios) <= MAX_RATIO
  printTable([
    [engine, 'enquiries/s', 'ms each', 'p50 ms', 'p99 ms', 'CPU µs each'],
    describe('an empty database', alone),
    describe(`${ROWS} messages and log entries`, loaded),
    [isGood ? 'ratio: good' : 'ratio: LONG', '', `${median(ratios).toFixed(2)} (≤ ${MAX_RATIO})`, '', '', ''],
  ])
  return isGood
}

function describe(database: string, rounds: readonly Round[]): string[] {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure))
  return [
    database,
    middle(({ perSecond }) => perSecond).toFixed(0),
    middle(({ perSecond }) => 1000 / perSecond).toFixed(2),
    middle(({ p50 }) => p50).toFixed(1),
    middle(({ p99 }) => p99).toFixed(1),
    middle(({ cpu }) => cpu).toFixed(0),
  ]
}

async function fill(dataDir: string, databaseUrl: string | null) {
  const db = await openDatabase({ dataDir, databaseUrl })
  await seedMessages(db, ROWS, () => false)
  await seedLogs(db, ROWS, () => false)
  if (databaseUrl) {
    await sql`vacuum analyze`.execute(db)
    await sql`checkpoint`.execute(db)
  }
  await db.destroy()
}
