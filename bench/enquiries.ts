import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { startPostgres } from '../scripts/postgres.ts'
import { openDatabase } from '../src/database/open.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { openMailSink } from '../tests/support/smtp-sink.ts'
import { keepProfile } from './enquiries-steps.ts'
import { freePort, type Measured, startLandfall, startPinned, startServer } from './process.ts'
import { median, printTable } from './table.ts'

/** Share of the rate of the bare reference, which validates, limits, logs and sends nothing. */
const MIN_THROUGHPUT = 0.5
const MAX_P99 = 3
/** At most a tenth of an enquiry is for the rows of the search, which follow in the background. */
const MAX_FOR_SEARCH = 1.1
/** Enquiries a second: fifteen times what the fastest content system handled on such a machine, 228. */
const MIN_ENQUIRIES = 15 * 228
/** Short alternating rounds, so that other load on the machine affects both alike. */
const ROUNDS = 5
const SECONDS = 4
const CLIENTS = 64

export interface Round {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's processor time for one enquiry. */
  readonly cpu: number
}

/** `POST /api/contact` with everything on, compared with a bare server that makes the same rows as durable. */
export async function measure(): Promise<boolean> {
  const postgres = await startPostgres()
  try {
    const onSqlite = await compare('SQLite', async () => null)
    if (postgres) return (await compare('PostgreSQL', () => createTestDatabase(postgres.url))) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so it was not measured.\n')
    return onSqlite
  } finally {
    postgres?.stop()
  }
}

async function compare(engine: string, createDatabase: () => Promise<string | null>) {
  const mailServer = await openMailSink()
  const mailEnv = { SMTP_URL: mailServer.url, MAIL_FROM: 'desk@agency.test' }
  const app = await startLandfall({ ...mailEnv, ...databaseEnv(await createDatabase()) })
  const unindexed = await startUnindexed(mailEnv, await createDatabase())
  const reference = await startReference(await createDatabase())
  const ours: Round[] = []
  const others: Round[] = []
  const bare: Round[] = []
  // The first of each is to warm up: code is compiled, files have grown.
  await run(reference, 2)
  await run(app, 2)
  await run(unindexed, 2)
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`\r${engine}: round ${round + 1} of ${ROUNDS} `)
    bare.push(await run(reference, SECONDS))
    ours.push(await run(app, SECONDS))
    others.push(await run(unindexed, SECONDS))
  }
  process.stderr.write('\r')
  await Promise.all([app.close(), unindexed.close(), reference.close()])
  const isGood = judge(engine, ours, bare, others)
  if (!isGood) await profile({ ...mailEnv, ...databaseEnv(await createDatabase()) })
  await mailServer.close()
  return isGood
}

/** Which step of an enquiry costs what, in a run of its own, because a profile slows the server down. */
async function profile(env: NodeJS.ProcessEnv) {
  const profile = await keepProfile()
  const app = await startLandfall({ ...env, ...profile.env })
  const { count } = await run(app, SECONDS)
  await app.stop()
  await profile.print(count)
}

/** Landfall whose search finds no table for its rows, so that it writes none. */
async function startUnindexed(mailEnv: NodeJS.ProcessEnv, databaseUrl: string | null): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-bench-'))
  const db = await openDatabase({ dataDir, databaseUrl })
  await sql`alter table search_words rename to unused_words`.execute(db)
  await db.destroy()
  return await startLandfall({ ...mailEnv, ...databaseEnv(databaseUrl), DATA_DIR: dataDir })
}

async function startReference(database: string | null): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-bench-'))
  const port = await freePort()
  const where = database ? ['--database', database] : ['--folder', folder]
  const server = await startServer(['bench/enquiries-reference.ts', '--port', String(port), ...where], port)
  return {
    ...server,
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Posts enquiries as fast as this many clients get responses. */
export async function run(server: Measured, seconds: number, clients = CLIENTS): Promise<Round> {
  const before = server.cpu()
  const options = ['--url', server.url, '--seconds', String(seconds), '--clients', String(clients)]
  const load = startPinned(1, ['bench/enquiries-load.ts', ...options])
  const { latencies, refusals, milliseconds }: Load = JSON.parse(await text(load.stdout))
  if (refusals.length > 0) throw new Error(`${refusals.length} refused, the first: ${refusals[0]}`)
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    count: latencies.length,
    perSecond: (latencies.length / milliseconds) * 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    cpu: ((server.cpu() - before) / latencies.length) * 1000,
  }
}

interface Load {
  readonly latencies: readonly number[]
  readonly refusals: readonly string[]
  readonly milliseconds: number
}

function judge(engine: string, ours: readonly Round[], bare: readonly Round[], unindexed: readonly Round[]) {
  const ratio = (figure: keyof Round, to = bare) =>
    median(ours.map((round, index) => round[figure] / (to[index]?.[figure] ?? Number.NaN)))
  const perSecond = median(ours.map(round => round.perSecond))
  const forSearch = ratio('cpu', unindexed)
  const isGood =
    ratio('perSecond') >= MIN_THROUGHPUT &&
    ratio('p99') < MAX_P99 &&
    perSecond > MIN_ENQUIRIES &&
    forSearch <= MAX_FOR_SEARCH
  printTable([
    [engine, 'enquiries/s', 'p50 ms', 'p99 ms', 'CPU µs/enquiry'],
    describe('node:http, bare', bare),
    describe('Landfall, all on', ours),
    describe('Landfall, no index of the search', unindexed),
    [
      isGood ? 'ratio: good' : 'ratio: SHORT',
      `${ratio('perSecond').toFixed(2)} (≥ ${MIN_THROUGHPUT})`,
      ratio('p50').toFixed(2),
      `${ratio('p99').toFixed(2)} (< ${MAX_P99})`,
      ratio('cpu').toFixed(2),
    ],
    [
      'with the index, compared with none',
      ...[ratio('perSecond', unindexed), ratio('p50', unindexed), ratio('p99', unindexed)].map(it =>
        it.toFixed(2),
      ),
      `${forSearch.toFixed(2)} (≤ ${MAX_FOR_SEARCH})`,
    ],
    [`goal: more than ${MIN_ENQUIRIES}/s`, perSecond > MIN_ENQUIRIES ? 'reached' : 'missed', '', '', ''],
  ])
  return isGood
}

function describe(server: string, rounds: readonly Round[]): string[] {
  const middle = (figure: keyof Round) => median(rounds.map(round => round[figure]))
  return [
    server,
    middle('perSecond').toFixed(0),
    middle('p50').toFixed(1),
    middle('p99').toFixed(1),
    middle('cpu').toFixed(0),
  ]
}

export function databaseEnv(url: string | null): NodeJS.ProcessEnv {
  return url ? { DATABASE_URL: url, SECRET_KEY: 'a secret of thirty-two characters, or more' } : {}
}
