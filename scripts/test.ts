import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { engines } from '../tests/faults/fault.ts'
import { quickFaults } from '../tests/faults/faults.ts'
import { proveAll } from '../tests/faults/run-faults.ts'
import { findBrowser } from './browser.ts'
import { idsIn, NAMES_WITH_IDS, readDefences } from './defences.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'

/**
 * All tests: those of the API on SQLite, the same on PostgreSQL, the quick form of the proofs that nothing is lost, then
 * the journeys in a browser. Names given on the command line choose files whose path holds one of them; `--security` chooses the tests that show a line of the table
 * of defences, and fails for a line that none of them shows. The last line is the count.
 */
interface Count {
  passed: number
  failed: number
}

/** A part of Playwright's report. */
interface ReportedSuite {
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[]
  readonly suites?: readonly ReportedSuite[]
}

// Each file of tests is a process, and reads the same sources again.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')
const isSecurity = process.argv.includes('--security')
const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
/** Names of the tests that passed, of each engine and of the journeys. */
const shown = new Map<string, string[]>()
const given = process.env.TEST_DATABASE_URL
const total: Count = { passed: 0, failed: 0 }
// By way of `exit`, where PostgreSQL is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
let postgres: PrivatePostgres | null = null

try {
  // Before anything runs, so that a machine without a browser says so at once.
  const browser = findBrowser()
  add(await runUnitTests('SQLite', undefined))
  postgres = given ? null : await startPostgres(process.env.CI !== undefined)
  const url = given ?? postgres?.url
  if (url) add(await runUnitTests('PostgreSQL', url))
  else say('PostgreSQL is not installed here: its tests were left out. Give TEST_DATABASE_URL to run them.')
  if (!isSecurity && (wanted.length === 0 || wanted.includes('prove'))) add(await runProofs())
  add(await runJourneys(browser, url))
  if (isSecurity) refuseGaps(url ? ['SQLite', 'PostgreSQL'] : ['SQLite'])
} catch (error) {
  total.failed++
  say(error instanceof Error ? error.message : String(error))
} finally {
  postgres?.stop()
}
say(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function runUnitTests(engine: string, databaseUrl: string | undefined): Promise<Count> {
  say(`\nTests on ${engine}`)
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const all = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).filter(isWanted)
  // What opens no office and no database behaves the same on both engines.
  const files = databaseUrl && !isSecurity ? all.filter(file => read(file).includes('/support/')) : all
  const count: Count = { passed: 0, failed: 0 }
  const stream = run({
    files,
    // More than there are cores: many files mostly wait, for a disk, a window of time, or a provider that says nothing.
    concurrency: 4,
    // A suite none of whose tests is run does not close what it opened, so its process would stay.
    ...(isSecurity && { testNamePatterns: [NAMES_WITH_IDS], execArgv: ['--test-force-exit'] }),
    env: { ...env, ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }) },
  })
  stream.on('test:pass', event => {
    if (event.details.type === 'suite') return
    count.passed++
    note(engine, event.name)
  })
  stream.on('test:fail', event => {
    // A suite fails for each test of its own that failed, which counts already, or before it came to any.
    const { type, error } = event.details
    const isCounted = type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed'
    if (!isCounted) count.failed++
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return count
}

async function runProofs(): Promise<Count> {
  const seed = String(Math.floor(Math.random() * 1e9))
  say(`\nProofs that nothing is lost, with the seed ${seed}`)
  const count: Count = { passed: 0, failed: 0 }
  await proveAll({
    faults: quickFaults,
    engines,
    form: 'quick',
    seed,
    signal: new AbortController().signal,
    tell: () => {},
    note({ fault, engine, outcome, seconds, verdict }) {
      const { acknowledged, lost, duplicated, complaints, leftOut } = outcome
      const figures = `${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated`
      say(
        `${fault.name} ${fault.title}, on ${engine}: ${verdict}, ${leftOut ?? figures} (${seconds.toFixed(0)} s)`,
      )
      for (const complaint of complaints) say(`  ${complaint}`)
      if (verdict === 'good') count.passed++
      if (verdict === 'NOT PROVEN') count.failed++
    },
  })
  return count
}

async function runJourneys(browser: string, databaseUrl: string | undefined): Promise<Count> {
  say('\nJourneys in the browser')
  const folder = mkdtempSync(join(tmpdir(), 'landfall-journeys-'))
  const report = join(folder, 'report.json')
  const env = {
    ...process.env,
    BROWSER: browser,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
  }
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--reporter=list,json',
    '--pass-with-no-tests',
    ...(isSecurity ? ['--grep', NAMES_WITH_IDS.source] : []),
    ...wanted,
  ]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  const status = await new Promise<number | null>(resolve => child.on('exit', resolve))
  try {
    const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'))
    for (const suite of suites) noteJourneys(suite)
    // Tried twice only where `CI` is set: playwright.config.ts. Playwright's list names them.
    if (stats.flaky > 0) say(`Passed at the second try only: ${stats.flaky}`)
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  } catch {
    return { passed: 0, failed: status === 0 ? 0 : 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function noteJourneys({ specs = [], suites = [] }: ReportedSuite) {
  for (const { title, ok } of specs) if (ok) note('journeys', title)
  for (const suite of suites) noteJourneys(suite)
}

function note(where: string, name: string) {
  shown.set(where, [...(shown.get(where) ?? []), name])
}

/** What a journey has shown, both engines need not show again. */
function refuseGaps(engines: readonly string[]) {
  const idsOf = (where: string) => (shown.get(where) ?? []).flatMap(idsIn)
  for (const engine of engines) {
    const found = new Set([...idsOf(engine), ...idsOf('journeys')])
    for (const id of readDefences().filter(id => !found.has(id))) {
      total.failed++
      say(`${id}: no test of this name has passed on ${engine}`)
    }
  }
}

function isWanted(file: string): boolean {
  if (isSecurity && !NAMES_WITH_IDS.test(read(file))) return false
  return wanted.length === 0 || wanted.some(part => file.includes(part))
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

function add({ passed, failed }: Count) {
  total.passed += passed
  total.failed += failed
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
