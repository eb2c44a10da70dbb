import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { type Engine, engines } from '../tests/faults/fault.ts'
import { quickFaults } from '../tests/faults/faults.ts'
import { runFaults } from '../tests/faults/run-faults.ts'
import { findHeadlessBrowser } from './browser.ts'
import { listPostgresTests, listTests, opensDatabase, reasonForOwnProcess } from './choose-tests.ts'
import { idsIn, NAMES_WITH_IDS, readDefences } from './defences.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'
import { runBrowserTests } from './run-end-to-end-tests.ts'
import { type Result, runUnitTests } from './run-unit-tests.ts'
import { createTemplate } from './test-template.ts'

/**
 * Tiers 1 to 3 of the check (decision 058): units and HTTP on SQLite, on PostgreSQL what differs by engine, the quick form
 * of the fault runs, then the tests in a browser. Nothing is drawn by chance or left out for time. Arguments
 * choose files whose path contains one of them, which then run on both engines.
 * `--all` runs everything on both engines, `--e2e` the tests in a browser only, `--security` those that show a line of the
 * table of defences; it fails for each line without a passing test. The last line is the count.
 */
// Each process loads the same sources.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')
if (process.argv.includes('--all')) process.env.TESTS_AT_LENGTH = '1'
/** Linux keeps what is in it in memory. */
const MEMORY = '/dev/shm'
/** Bytes that the databases of all tests together never take. */
const ROOM = 1024 ** 3
/** Of the quick fault runs. `npm run test:faults` tries others. */
const SEED = '27'
/** The names of all tests that ran, in order, so that two runs can be compared. */
const LIST = 'build/tests-that-ran.txt'

const isSecurity = process.argv.includes('--security')
const isEndToEnd = process.argv.includes('--e2e')
const isEverything = process.argv.includes('--all')
const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const testDatabaseUrl = process.env.TEST_DATABASE_URL
const pattern = isSecurity ? NAMES_WITH_IDS : null
/** What ran, in this order. */
const parts: { readonly name: string; readonly result: Result; readonly seconds: number }[] = []
// Through `exit`, whose listener stops PostgreSQL.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const isCheck = process.env.CI !== undefined
let postgres: PrivatePostgres | null = null

try {
  // First of all, so that a machine without a browser fails immediately.
  const browser = findHeadlessBrowser()
  postgres = testDatabaseUrl ? null : await startPostgres(placeOfDatabases())
  const url = testDatabaseUrl ?? postgres?.url
  if (!url && isCheck) throw new Error('PostgreSQL is not installed here, and the check needs it')
  if (!url)
    say('PostgreSQL is not installed here: its tests were skipped. Set TEST_DATABASE_URL to run them.')
  if (!isEndToEnd) await runUnits(url)
  const hasFaults = !isSecurity && !isEndToEnd && !isEverything
  if (hasFaults && (wanted.length === 0 || wanted.includes('faults'))) await measure('Faults', runQuickFaults)
  await runInBrowser(browser, url)
  if (isSecurity) await measure('Defences', async () => findGaps(url ? ['SQLite', 'PostgreSQL'] : ['SQLite']))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  parts.push({ name: 'The run itself', result: { passed: [], failed: [message] }, seconds: 0 })
} finally {
  postgres?.stop()
}
process.exit(report() ? 0 : 1)

/** The memory, if it has room: no test here cuts the power, and a third of the time of those on PostgreSQL is that of the disk. */
function placeOfDatabases(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM ? MEMORY : tmpdir()
}

async function runUnits(url: string | undefined) {
  const files = listTests().filter(isWanted)
  const differing = new Set(listPostgresTests())
  const isWhole = isEverything || isSecurity || wanted.length > 0
  const onPostgres = files.filter(file => (isWhole ? isSecurity || opensDatabase(file) : differing.has(file)))
  bundle(files)
  say('\nUnits')
  const begun = performance.now()
  const runs = [await prepareUnits('SQLite', files)]
  if (url && onPostgres.length > 0) runs.push(await prepareUnits('PostgreSQL', onPostgres, url))
  // Those on PostgreSQL begin when some of the others still wait for something.
  await Promise.all(
    runs.map(async ({ name, run }) => {
      const result = await run()
      parts.push({ name, result, seconds: (performance.now() - begun) / 1000 })
    }),
  )
}

function bundle(files: readonly string[]) {
  if (files.length === 0) return
  // In a process of its own, because Vite changes NODE_ENV.
  const { status } = spawnSync(process.execPath, ['scripts/bundle-tests.ts', ...files], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The tests could not be bundled')
}

async function prepareUnits(engine: Engine, files: readonly string[], databaseUrl?: string) {
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const template = await createTemplate(databaseUrl)
  async function run() {
    const result = await runUnitTests({
      files,
      alone: new Set(files.filter(file => reasonForOwnProcess(file))),
      engine,
      env: {
        ...env,
        ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
        TEST_DATABASE_TEMPLATE: template.place,
      },
    })
    await template.remove()
    return result
  }
  return { name: `Units on ${engine}`, run }
}

async function runQuickFaults(): Promise<Result> {
  say(`Seed ${SEED}`)
  const result: { passed: string[]; failed: string[] } = { passed: [], failed: [] }
  await runFaults({
    faults: quickFaults,
    engines,
    form: 'quick',
    seed: SEED,
    signal: new AbortController().signal,
    showProgress: () => {},
    recordResult({ fault, engine, outcome, seconds, verdict }) {
      const { acknowledged, lost, duplicated, failures, skipped } = outcome
      const figures = `${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated`
      const name = `${fault.name} ${fault.title}, on ${engine}`
      say(`${name}: ${verdict}, ${skipped ?? figures} (${seconds.toFixed(0)} s)`)
      for (const failure of failures) say(`  ${failure}`)
      if (verdict === 'passed') result.passed.push(name)
      if (verdict === 'FAILED') result.failed.push(name)
    },
  })
  return result
}

async function runInBrowser(browser: string, databaseUrl: string | undefined) {
  if (wanted.length > 0 && !globSync('tests/*/*.spec.ts').some(isWanted)) return
  const begun = performance.now()
  say('\nIn a browser')
  const results = await runBrowserTests({ browser, databaseUrl, wanted, pattern })
  const seconds = (performance.now() - begun) / 1000
  for (const [project, result] of results)
    parts.push({ name: `In a browser: ${project || 'all'}`, result, seconds })
}

async function measure(name: string, work: () => Promise<Result>) {
  say(`\n${name}`)
  const begun = performance.now()
  const result = await work()
  parts.push({ name, result, seconds: (performance.now() - begun) / 1000 })
}

/** @returns each defence without a passing test as a failure. A test in a browser counts for both engines. */
function findGaps(engines: readonly string[]): Result {
  const idsOf = (end: RegExp) =>
    parts.filter(({ name }) => end.test(name)).flatMap(({ result }) => result.passed.flatMap(idsIn))
  const inBrowser = idsOf(/^In a browser/)
  const failed = engines.flatMap(engine => {
    const found = new Set([...idsOf(new RegExp(`${engine}$`)), ...inBrowser])
    return readDefences()
      .filter(({ id }) => !found.has(id))
      .map(({ id }) => `${id}: no test with this id passed on ${engine}`)
  })
  return { passed: [], failed }
}

/** Says what ran, what failed, and how long it took. @returns whether all is well */
function report(): boolean {
  const names = parts.flatMap(({ name, result: { passed, failed } }) =>
    [...passed, ...failed].map(test => `${name}: ${test}`),
  )
  const list = names
    .sort()
    .map(name => `${name}\n`)
    .join('')
  mkdirSync('build', { recursive: true })
  writeFileSync(LIST, list)
  say('')
  for (const { name, result, seconds } of parts) {
    const { passed, failed } = result
    say(`${name}: ${passed.length} passed, ${failed.length} failed, ${Math.round(seconds)} s`)
    for (const test of failed) say(`  ✖ ${test.split('\n', 1)}`)
  }
  const digest = createHash('sha256').update(list).digest('hex').slice(0, 12)
  say(`${names.length} tests by name in ${LIST}, with the digest ${digest}`)
  const count = (of: keyof Result) => parts.reduce((sum, { result }) => sum + result[of].length, 0)
  say(`${count('passed')} passed, ${count('failed')} failed`)
  return count('failed') === 0 && count('passed') > 0
}

function isWanted(file: string): boolean {
  if (isSecurity && !NAMES_WITH_IDS.test(readFileSync(file, 'utf8'))) return false
  return wanted.length === 0 || wanted.some(part => file.includes(part))
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
