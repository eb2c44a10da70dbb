import { startPostgres } from '../scripts/postgres.ts'
import { type Case, casesOfFullTables, casesOfSeldomTogether, casesOfSettledTables } from './lists-cases.ts'
import { type Filled, fill } from './lists-rows.ts'
import { type Measured, startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** The same rows may take this many times longer out of full tables than out of almost empty ones. */
const MAX_RATIO = 2
/** What no index spares anybody must take at most this part of what reading the table takes. */
const MAX_OF_LIKE = 0.5
const SIZES = {
  few: { messages: 1_000, logs: 1_000 },
  many: { messages: 100_000, logs: 1_000_000 },
}
const ROUNDS = 40
/** A page of a list. */
const WHOLE_PAGE = 100
/** The browser goes on by itself until it has something to show, but not for ever. */
const MAX_CALLS = 200

/** First page, every filter, search and the last page of both lists, with few rows and with many, on both engines. */
export async function measure(): Promise<boolean> {
  const postgres = await startPostgres(false)
  try {
    const onSqlite = await measureOn('SQLite', null)
    if (postgres) return (await measureOn('PostgreSQL', postgres.url)) && onSqlite
    process.stdout.write('PostgreSQL is not installed here, so it was not measured.\n')
    return onSqlite
  } finally {
    postgres?.stop()
  }
}

async function measureOn(engine: string, server: string | null): Promise<boolean> {
  process.stderr.write(`${engine}: filling …\n`)
  const filled = { few: await fill(server, SIZES.few), many: await fill(server, SIZES.many) }
  const [full, hard] = await withServers(filled, async (few, many) => [
    await compareAll(few, many, casesOfFullTables),
    await compareAllWithLike(few, many),
  ])
  await filled.few.settle()
  await filled.many.settle()
  const settled = await withServers(filled, (few, many) => compareAll(few, many, casesOfSettledTables))
  await filled.few.remove()
  await filled.many.remove()
  printTable([
    [engine, 'rows', 'of few, ms', 'of many, ms', 'ratio', 'a page', 'calls', 'ms'],
    ...full.map(({ row }) => row),
    ['nothing unread, suspect or unsent:'],
    ...settled.map(({ row }) => row),
    ['seldom together:', '', '', '', 'of LIKE', '', '', ''],
    ...hard.map(({ row }) => row),
  ])
  const all = [...full, ...settled, ...hard]
  const bad = all.filter(({ isGood }) => !isGood).length
  process.stdout.write(`${engine}: ${all.length - bad} of ${all.length} within what they may take\n\n`)
  return bad === 0
}

interface Installation extends Filled {
  readonly server: Measured
}

async function withServers<T>(
  filled: Readonly<Record<'few' | 'many', Filled>>,
  work: (few: Installation, many: Installation) => Promise<T>,
): Promise<T> {
  const few = { ...filled.few, server: await startLandfall(filled.few.env) }
  const many = { ...filled.many, server: await startLandfall(filled.many.env) }
  const done = await work(few, many)
  await few.server.close()
  await many.server.close()
  return done
}

async function compareAll(few: Installation, many: Installation, cases: readonly Case[]) {
  const compared: Awaited<ReturnType<typeof compare>>[] = []
  for (const one of cases) compared.push(await compare(one, few, many))
  return compared
}

async function compare(asked: Case, few: Installation, many: Installation) {
  const { short, long, cells } = await measureBoth(asked, few, many)
  const ratio = long / short
  return rowOf(asked, cells, ratio, ratio <= MAX_RATIO)
}

async function compareAllWithLike(few: Installation, many: Installation) {
  const compared: ReturnType<typeof rowOf>[] = []
  for (const asked of casesOfSeldomTogether) {
    const { cells } = await measureBoth(asked, few, many)
    // One statement, without HTTP.
    const [like, search] = await inTurns(
      () => many.readTable(asked.query.q?.toLowerCase().split(' ') ?? []),
      () => ask(asked, many),
    )
    compared.push(rowOf(asked, cells, search / like, search / like <= MAX_OF_LIKE))
  }
  return compared
}

/** As many rows are asked of both as the few have: that a longer answer takes longer says nothing about the table. */
async function measureBoth(asked: Case, few: Installation, many: Installation) {
  const { rows } = await ask(asked, few)
  const same: Case = { ...asked, query: { ...asked.query, limit: String(Math.max(rows, 1)) } }
  const [short, long] = await inTurns(
    () => ask(same, few),
    () => ask(same, many),
  )
  const page = await askForPage(asked, many)
  const pageCells = [String(page.rows), String(page.calls), page.milliseconds.toFixed(1)]
  return { short, long, cells: [[String(rows), short.toFixed(1), long.toFixed(1)], pageCells] as const }
}

function rowOf(
  asked: Case,
  [cells, pageCells]: readonly (readonly string[])[],
  ratio: number,
  isGood: boolean,
) {
  const mark = `${ratio.toFixed(2)} ${isGood ? '    ' : 'LONG'}`
  return {
    isGood,
    row: [`${asked.list} ${new URLSearchParams(asked.query)}`, ...(cells ?? []), mark, ...(pageCells ?? [])],
  }
}

/** In turns, so that whatever else the machine does meets both alike; the first round warms up. @returns medians, ms */
async function inTurns(one: () => Promise<Timed>, other: () => Promise<Timed>) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = [await one(), await other()] as const
    if (round === 0) continue
    times[0].push(measured[0].milliseconds)
    times[1].push(measured[1].milliseconds)
  }
  return [median(times[0]), median(times[1])] as const
}

interface Timed {
  /** Until the whole answer is there. */
  readonly milliseconds: number
}

interface Answer extends Timed {
  readonly rows: number
  readonly nextCursor: string | null
}

async function ask(
  { list, query }: Case,
  { server, cookie, words }: Installation,
  cursor?: string | null,
): Promise<Answer> {
  const known = Object.entries(query).map(([key, value]) => [key, words[list][value] ?? value])
  const wanted = new URLSearchParams([
    ...known.filter(([key]) => !cursor || key !== 'cursor'),
    ...(cursor ? [['cursor', cursor]] : []),
  ])
  const start = performance.now()
  const response = await fetch(`${server.url}/api/${list}?${wanted}`, { headers: { cookie } })
  const body = await response.text()
  const milliseconds = performance.now() - start
  if (!response.ok) throw new Error(`${list}?${wanted} answered ${response.status}`)
  const page = JSON.parse(body)
  return { rows: page[list].length, nextCursor: page.nextCursor, milliseconds }
}

/** As the browser does: until there is a page, or the end. */
async function askForPage(asked: Case, installation: Installation) {
  let [rows, calls, milliseconds] = [0, 0, 0]
  let cursor: string | null | undefined
  do {
    const answer = await ask(asked, installation, cursor)
    rows += answer.rows
    milliseconds += answer.milliseconds
    calls++
    cursor = answer.nextCursor
  } while (cursor && rows < WHOLE_PAGE && calls < MAX_CALLS)
  return { rows, calls, milliseconds }
}
