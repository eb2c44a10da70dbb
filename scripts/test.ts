import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { findBrowser } from './browser.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'

/**
 * All tests: those of the API on SQLite, the same on PostgreSQL, then the journeys in a browser. Names given on the
 * command line choose files whose path holds one of them. The last line is the count.
 */
interface Count {
  passed: number
  failed: number
}

const wanted = process.argv.slice(2)
const given = process.env.TEST_DATABASE_URL
const total: Count = { passed: 0, failed: 0 }
let postgres: PrivatePostgres | null = null

try {
  // Before anything runs, so that a machine without a browser says so at once.
  const browser = findBrowser()
  add(await runUnitTests('SQLite', undefined))
  postgres = given ? null : await startPostgres(process.env.CI !== undefined)
  const url = given ?? postgres?.url
  if (url) add(await runUnitTests('PostgreSQL', url))
  else say('PostgreSQL is not installed here: its tests were left out. Give TEST_DATABASE_URL to run them.')
  add(await runJourneys(browser, url))
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
  const files = globSync('src/**/*.test.ts').filter(isWanted)
  const count: Count = { passed: 0, failed: 0 }
  const stream = run({
    files,
    concurrency: 2,
    env: { ...env, ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }) },
  })
  stream.on('test:pass', event => {
    if (event.details.type !== 'suite') count.passed++
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
    ...wanted,
  ]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  const status = await new Promise<number | null>(resolve => child.on('exit', resolve))
  try {
    const { expected, unexpected, flaky } = JSON.parse(readFileSync(report, 'utf8')).stats
    return { passed: expected, failed: unexpected + flaky }
  } catch {
    return { passed: 0, failed: status === 0 ? 0 : 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isWanted(file: string): boolean {
  return wanted.length === 0 || wanted.some(part => file.includes(part))
}

function add({ passed, failed }: Count) {
  total.passed += passed
  total.failed += failed
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
