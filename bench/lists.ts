import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../scripts/postgres.ts'
import { type Case, cases, casesOfSettledTables } from './lists-cases.ts'
import { type Filled, fill } from './lists-rows.ts'
import { type Measured, startLandfall } from './process.ts'
import { printTable } from './table.ts'

/** Milliseconds within which 95 of 100 calls respond, and for which none blocks the event loop. */
const MAX_P95 = 50
const MAX_HELD = 50
const FULL_SIZE = { messages: 100_000, logs: 1_000_000 }
/** Minimum calls of a case, so that there is a 95th percentile. */
const MIN_CALLS = 60
/** A page of a list: until then, or the end, a search continues. */
const WHOLE_PAGE = 100
/** Milliseconds: the probe writes what it has measured four times a second. */
const PROBE_DELAY = 300

/**
 * Every page, filter and search of both lists over HTTP, on both engines, compared with a request that reads nothing and one
 * statement that reads all messages. `npm run bench -- lists 0.1` takes a tenth of the rows.
 */
export async function measure(): Promise<boolean> {
  const part = Number(process.argv[3] ?? 1)
  const size = { messages: FULL_SIZE.messages * part, logs: FULL_SIZE.logs * part }
  const postgres = await startPostgres()
  try {
    const onSqlite = await measureOn('SQLite', null, size)
    if (postgres) return (await measureOn('PostgreSQL', postgres.url, size)) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so half of the promise was not measured.\n')
    return false
  } finally {
    postgres?.stop()
  }
}

async function measureOn(engine: string, server: string | null, size: typeof FULL_SIZE): Promise<boolean> {
  process.stderr.write(`${engine}: filling …\n`)
  const filled = await fill(server, size)
  const full = await withServer(filled, cases)
  await filled.settle()
  const settled = await withServer(filled, casesOfSettledTables)
  await filled.remove()
  const rows = [...full.rows, ...settled.rows]
  printTable([
    [`${engine}, ms`, 'p50', 'p95', 'longest', 'rows', 'calls', 'in all'],
    ...full.reference,
    ...full.rows.map(({ cells }) => cells),
    ['nothing unread, suspect or unsent:'],
    ...settled.rows.map(({ cells }) => cells),
  ])
  const slow = rows.filter(({ isGood }) => !isGood).length
  const held = Math.max(full.held, settled.held)
  process.stdout.write(
    `${engine}: ${rows.length - slow} of ${rows.length} within ${MAX_P95} ms at p95; the event loop was held for ${held} ms at the longest (at most ${MAX_HELD})\n\n`,
  )
  return slow === 0 && held <= MAX_HELD
}

interface Installation extends Filled {
  readonly server: Measured
}

async function withServer(filled: Filled, wanted: readonly Case[]) {
  const heldFile = join(String(filled.env.DATA_DIR), `held-${wanted.length}`)
  const probe = pathToFileURL('bench/held-probe.ts').href
  const env = { ...filled.env, HELD_FILE: heldFile, NODE_OPTIONS: `--import ${probe}` }
  const installation = { ...filled, server: await startLandfall(env) }
  const reference = await measureReference(installation)
  const rows: Row[] = []
  // The time for starting and compiling code belongs to no call.
  for (const one of wanted) await walk(one, one.queries[0] ?? {}, installation)
  await pause(PROBE_DELAY)
  const before = readHeld(heldFile).length
  for (const one of wanted) rows.push(await measureCase(one, installation))
  await pause(PROBE_DELAY)
  await installation.server.close()
  return { reference, rows, held: Math.max(...readHeld(heldFile).slice(before)) }
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

function readHeld(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

async function measureReference(installation: Installation): Promise<string[][]> {
  const bare: number[] = []
  const table: number[] = []
  for (let count = 0; count < MIN_CALLS; count++) {
    bare.push((await ask('/healthz', installation)).milliseconds)
    if (count < 10) table.push((await installation.readTable(['kookaburra', 'office'])).milliseconds)
  }
  return [
    ['reference: GET /healthz', ...summary(bare)],
    ['reference: LIKE over all messages, in the engine', ...summary(table)],
  ]
}

interface Row {
  readonly cells: string[]
  readonly isGood: boolean
}

/** Walks through each query in turns: as the browser does, until there is a page, or the end. */
async function measureCase(one: Case, installation: Installation): Promise<Row> {
  const times: number[] = []
  const longestWalk = { rows: 0, calls: 0, milliseconds: 0 }
  for (let round = 0; times.length < MIN_CALLS || round < 3; round++)
    for (const query of one.queries) {
      const walked = await walk(one, query, installation)
      times.push(...walked.times)
      const milliseconds = walked.times.reduce((sum, time) => sum + time, 0)
      if (milliseconds > longestWalk.milliseconds)
        Object.assign(longestWalk, { rows: walked.rows, calls: walked.times.length, milliseconds })
    }
  const { rows, calls, milliseconds } = longestWalk
  const isGood = percentile(times, 0.95) <= (one.max ?? MAX_P95)
  const cells = [one.name, ...summary(times), String(rows), String(calls), milliseconds.toFixed(0)]
  return { isGood, cells: [...cells, isGood ? '' : 'LONG'] }
}

async function walk(
  { list, open }: Case,
  query: Case['queries'][number],
  installation: Installation,
): Promise<{ readonly times: number[]; readonly rows: number }> {
  const words = installation.words[list]
  const known = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, words[value] ?? value]))
  const path = open ? `/api/${list}/${words[open]}` : `/api/${list}`
  const times: number[] = []
  let rows = 0
  for (let cursor = known.cursor; ; ) {
    const wanted = new URLSearchParams({ ...known, ...(cursor && { cursor }) })
    const { milliseconds, body } = await ask(`${path}?${wanted}`, installation)
    times.push(milliseconds)
    const page = JSON.parse(body)
    rows += open ? 1 : page[list].length
    cursor = page.nextCursor ?? undefined
    if (!cursor || rows >= WHOLE_PAGE) return { times, rows }
  }
}

/** @returns the milliseconds until the whole response is there. */
async function ask(path: string, { server, cookie }: Installation) {
  const start = performance.now()
  const response = await fetch(`${server.url}${path}`, { headers: { cookie } })
  const body = await response.text()
  const milliseconds = performance.now() - start
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return { milliseconds, body }
}

function summary(times: readonly number[]): string[] {
  return [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map(time => time.toFixed(1))
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN
}
