import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { engines } from '../tests/faults/fault.ts'
import { quickFaults } from '../tests/faults/faults.ts'
import { runFaults } from '../tests/faults/run-faults.ts'
import { findBrowser } from './browser.ts'
import { idsIn, NAMES_WITH_IDS, readDefences } from './defences.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'
import { startEndToEndTests } from './run-end-to-end-tests.ts'
import { type Count, runUnitTests } from './run-unit-tests.ts'
import { createTemplate } from './test-template.ts'

/**
 * All tests: the unit tests on SQLite, the same on PostgreSQL, the quick form of the fault runs, and beside them the
 * end-to-end tests in a browser. Arguments choose files whose path contains one of them. `--e2e` runs the end-to-end tests only.
 * `--security` chooses the tests that show a line of the table of defences, and fails for each line without a passing
 * test. The last line is the count.
 */
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
  const endToEnd = startEndToEndTests({
    browser,
    databaseUrl: url,
    wanted,
    pattern: isSecurity ? NAMES_WITH_IDS : null,
    isPart: process.env.CI !== undefined && wanted.length === 0 && !isSecurity && !isEndToEnd,
    onPass: name => recordPassed('e2e', name),
  })
  const bundled = process.env.CI && !isEndToEnd ? bundleTests() : new Set<string>()
  if (!isEndToEnd) add(await runUnitTestsOn('SQLite', undefined, bundled))
  if (url && !isEndToEnd) add(await runUnitTestsOn('PostgreSQL', url, bundled))
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

async function runUnitTestsOn(
  engine: string,
  databaseUrl: string | undefined,
  bundled: ReadonlySet<string>,
): Promise<Count> {
  say(`\nTests on ${engine}`)
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const files = databaseUrl && !isSecurity ? chooseForPostgres(listTests()) : listTests()
  const template = await createTemplate(databaseUrl)
  const count = await runUnitTests({
    files,
    bundled,
    env: {
      ...env,
      ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
      TEST_DATABASE_TEMPLATE: template.place,
    },
    pattern: isSecurity ? NAMES_WITH_IDS : null,
    onPass: name => recordPassed(engine, name),
  })
  await template.remove()
  return count
}

function listTests(): string[] {
  return globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).filter(isWanted)
}

/** @returns the files that are bundled: those that load most of the product */
function bundleTests(): ReadonlySet<string> {
  const files = listTests().filter(opensTestApp)
  if (files.length === 0) return new Set()
  // In a process of its own, because Vite changes NODE_ENV.
  const { status } = spawnSync(process.execPath, ['scripts/bundle-tests.ts', ...files], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The tests could not be bundled')
  return new Set(files)
}

/** Or a database. */
function opensTestApp(file: string): boolean {
  return read(file).includes('/support/')
}

/**
 * A test that opens neither a test app nor a database behaves the same on both engines. The whole run in CI, which has run
 * all of them on SQLite, takes every fourth of the others, with another start each time, to end within its twenty minutes.
 */
function chooseForPostgres(all: readonly string[]): string[] {
  const files = all.filter(opensTestApp)
  if (!process.env.CI || wanted.length > 0) return files
  const start = randomInt(4)
  say(`Every fourth of ${files.length} files, beginning with number ${start + 1}`)
  return files.filter((_, at) => at % 4 === start)
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
