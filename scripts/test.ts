import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openDatabase } from '../src/database/open.ts'
import { engines } from '../tests/faults/fault.ts'
import { quickFaults } from '../tests/faults/faults.ts'
import { runFaults } from '../tests/faults/run-faults.ts'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { findBrowser } from './browser.ts'
import { idsIn, NAMES_WITH_IDS, readDefences } from './defences.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'
import { type Count, runUnitTests } from './run-unit-tests.ts'

/**
 * All tests: the unit tests on SQLite, the same on PostgreSQL, the quick form of the fault runs, and beside them the
 * end-to-end tests in a browser. Arguments choose files whose path contains one of them. `--e2e` runs the end-to-end tests only.
 * `--security` chooses the tests that show a line of the table of defences, and fails for each line without a passing
 * test. The last line is the count.
 */
/** A part of Playwright's report. */
interface ReportedSuite {
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[]
  readonly suites?: readonly ReportedSuite[]
}

// Each test file is a process that loads the same sources.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')
const isSecurity = process.argv.includes('--security')
const isEndToEnd = process.argv.includes('--e2e')
const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
/** Names of the tests that passed, by engine and for the end-to-end tests. */
const passedTests = new Map<string, string[]>()
const testDatabaseUrl = process.env.TEST_DATABASE_URL
const total: Count = { passed: 0, failed: 0 }
// Through `exit`, whose listener stops PostgreSQL.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
let postgres: PrivatePostgres | null = null

try {
  // First of all, so that a machine without a browser fails immediately.
  const browser = findBrowser()
  postgres = testDatabaseUrl ? null : await startPostgres(process.env.CI !== undefined)
  const url = testDatabaseUrl ?? postgres?.url
  if (!url)
    say('PostgreSQL is not installed here: its tests were skipped. Set TEST_DATABASE_URL to run them.')
  // Both wait for half of their time, so together they take little longer than one of them.
  const endToEnd = startEndToEndTests(browser, url)
  if (!isEndToEnd) add(await runUnitTestsOn('SQLite', undefined))
  if (url && !isEndToEnd) add(await runUnitTestsOn('PostgreSQL', url))
  if (!isSecurity && !isEndToEnd && (wanted.length === 0 || wanted.includes('faults')))
    add(await runQuickFaults())
  add(await endToEnd.finish())
  if (isSecurity) reportGaps(url ? ['SQLite', 'PostgreSQL'] : ['SQLite'])
} catch (error) {
  total.failed++
  say(error instanceof Error ? error.message : String(error))
} finally {
  postgres?.stop()
}
say(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function runUnitTestsOn(engine: string, databaseUrl: string | undefined): Promise<Count> {
  say(`\nTests on ${engine}`)
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const all = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).filter(isWanted)
  // A test that opens neither a test app nor a database behaves the same on both engines.
  const files = databaseUrl && !isSecurity ? all.filter(file => read(file).includes('/support/')) : all
  const template = await createTemplate(databaseUrl)
  const count = await runUnitTests({
    files,
    env: {
      ...env,
      ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
      ...(template && { TEST_DATABASE_TEMPLATE: new URL(template).pathname.slice(1) }),
    },
    pattern: isSecurity ? NAMES_WITH_IDS : null,
    onPass: name => recordPassed(engine, name),
  })
  if (template) await dropTestDatabase(template)
  return count
}

/** A database from which tests copy theirs. It has no connection, or PostgreSQL would not copy it. */
async function createTemplate(server: string | undefined): Promise<string | null> {
  const databaseUrl = server ? await createTestDatabase(server) : null
  if (databaseUrl) await (await openDatabase({ databaseUrl, dataDir: '' })).destroy()
  return databaseUrl
}

async function runQuickFaults(): Promise<Count> {
  const seed = String(Math.floor(Math.random() * 1e9))
  say(`\nFault runs, with the seed ${seed}`)
  const count: Count = { passed: 0, failed: 0 }
  await runFaults({
    faults: quickFaults,
    engines,
    form: 'quick',
    seed,
    signal: new AbortController().signal,
    showProgress: () => {},
    recordResult({ fault, engine, outcome, seconds, verdict }) {
      const { acknowledged, lost, duplicated, failures, skipped } = outcome
      const figures = `${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated`
      say(
        `${fault.name} ${fault.title}, on ${engine}: ${verdict}, ${skipped ?? figures} (${seconds.toFixed(0)} s)`,
      )
      for (const failure of failures) say(`  ${failure}`)
      if (verdict === 'passed') count.passed++
      if (verdict === 'FAILED') count.failed++
    },
  })
  return count
}

/** Starts them in the background. Their output is kept until `finish`, so that it does not mix with that of others. */
function startEndToEndTests(browser: string, databaseUrl: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-e2e-'))
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
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  process.once('exit', () => child.kill())
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const kept: Buffer[] = []
  let show = (output: Buffer): unknown => kept.push(output)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output => show(output))
  return {
    async finish(): Promise<Count> {
      say('\nEnd-to-end tests in the browser')
      for (const output of kept) process.stdout.write(output)
      show = output => process.stdout.write(output)
      return readReport(report, await ended)
    },
  }
}

function readReport(report: string, status: number | null): Count {
  try {
    const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'))
    for (const suite of suites) recordEndToEndTests(suite)
    // Tests are retried only where `CI` is set (playwright.config.ts). Playwright's list names them.
    if (stats.flaky > 0) say(`Passed only when retried: ${stats.flaky}`)
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  } catch {
    return { passed: 0, failed: status === 0 ? 0 : 1 }
  } finally {
    rmSync(dirname(report), { recursive: true, force: true })
  }
}

function recordEndToEndTests({ specs = [], suites = [] }: ReportedSuite) {
  for (const { title, ok } of specs) if (ok) recordPassed('e2e', title)
  for (const suite of suites) recordEndToEndTests(suite)
}

function recordPassed(where: string, name: string) {
  passedTests.set(where, [...(passedTests.get(where) ?? []), name])
}

/** Counts each defence without a passing test as a failure. An end-to-end test counts for both engines. */
function reportGaps(engines: readonly string[]) {
  const idsOf = (where: string) => (passedTests.get(where) ?? []).flatMap(idsIn)
  for (const engine of engines) {
    const found = new Set([...idsOf(engine), ...idsOf('e2e')])
    for (const id of readDefences().filter(id => !found.has(id))) {
      total.failed++
      say(`${id}: no test with this id passed on ${engine}`)
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
