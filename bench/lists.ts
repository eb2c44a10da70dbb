import { startPostgres } from '../scripts/postgres.ts'
import { type Case, casesOfFullTables, casesOfSettledTables } from './lists-cases.ts'
import { type Filled, fill } from './lists-rows.ts'
import { type Measured, startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** A list may take this many times longer with full tables than with almost empty ones. */
const MOST_RATIO = 2
const SIZES = {
  few: { messages: 1_000, logs: 1_000 },
  many: { messages: 100_000, logs: 1_000_000 },
}
const ROUNDS = 40
/** A page of a list. */
const WHOLE_PAGE = 100
/** The browser goes on by itself until it has something to show, but not for ever. */
const MOST_CALLS = 200

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
  const full = await compareAll(filled, casesOfFullTables)
  await filled.few.settle()
  await filled.many.settle()
  const settled = await compareAll(filled, casesOfSettledTables)
  await filled.few.remove()
  await filled.many.remove()
  printTable([
    [engine, 'rows', 'few rows, ms', 'many rows, ms', 'ratio', 'calls to a page', 'its ms'],
    ...full.map(({ row }) => row),
    ['nothing unread, suspect or unsent:'],
    ...settled.map(({ row }) => row),
  ])
  const all = [...full, ...settled]
  const bad = all.filter(({ isGood }) => !isGood).length
  process.stdout.write(`${engine}: ${all.length - bad} of ${all.length} within ${MOST_RATIO}\n\n`)
  return bad === 0
}

interface Installation extends Filled {
  readonly server: Measured
}

async function compareAll(filled: Readonly<Record<'few' | 'many', Filled>>, cases: readonly Case[]) {
  const few = { ...filled.few, server: await startLandfall(filled.few.env) }
  const many = { ...filled.many, server: await startLandfall(filled.many.env) }
  const compared: Awaited<ReturnType<typeof compare>>[] = []
  for (const one of cases) compared.push(await compare(one, few, many))
  await few.server.close()
  await many.server.close()
  return compared
}

async function compare(asked: Case, few: Installation, many: Installation) {
  const short: number[] = []
  const long: number[] = []
  // In turns, so that whatever else the machine does meets both alike; the first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const [one, other] = [await ask(asked, few), await ask(asked, many)]
    if (round > 0) short.push(one.milliseconds)
    if (round > 0) long.push(other.milliseconds)
  }
  const ratio = median(long) / median(short)
  const isGood = ratio <= MOST_RATIO
  const page = await askForPage(asked, many)
  return {
    isGood,
    row: [
      `${asked.list} ${new URLSearchParams(asked.query)}`,
      String(page.rows),
      median(short).toFixed(1),
      median(long).toFixed(1),
      `${ratio.toFixed(2)} ${isGood ? '    ' : 'LONG'}`,
      String(page.calls),
      page.milliseconds.toFixed(1),
    ],
  }
}

interface Answer {
  readonly rows: number
  readonly nextCursor: string | null
  /** Until the whole answer is there. */
  readonly milliseconds: number
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
  } while (cursor && rows < WHOLE_PAGE && calls < MOST_CALLS)
  return { rows, calls, milliseconds }
}
