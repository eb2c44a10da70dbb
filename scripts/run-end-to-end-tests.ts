import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Count } from './run-unit-tests.ts'

/** A part of Playwright's report. */
interface ReportedSuite {
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[]
  readonly suites?: readonly ReportedSuite[]
}

interface EndToEndTests {
  readonly browser: string
  readonly databaseUrl: string | undefined
  /** Parts of paths; all without any. */
  readonly wanted: readonly string[]
  /** Only tests with such a name. */
  readonly pattern: RegExp | null
  /** Whether unit tests run beside them, and the time is short. */
  readonly isPart: boolean
  readonly onPass: (name: string) => void
}

/** In CI the tests run in so many parts, one after the other. */
const PARTS = 4
/** Milliseconds in which the parts have to end there: the whole run has twenty minutes. */
const ROOM = 12 * 60_000

/** Starts them in the background. Their output is kept until `finish`, so that it does not mix with that of others. */
export function startEndToEndTests(tests: EndToEndTests) {
  const kept: Buffer[] = []
  let show = (output: Buffer): unknown => kept.push(output)
  const counts = runAll(tests, output => show(output))
  return {
    async finish(): Promise<Count> {
      process.stdout.write('\nEnd-to-end tests in the browser\n')
      for (const output of kept) process.stdout.write(output)
      show = output => process.stdout.write(output)
      const all = await counts
      const sum = (key: keyof Count) => all.reduce((total, count) => total + count[key], 0)
      return { passed: sum('passed'), failed: sum('failed') }
    },
  }
}

/** In CI a slow machine leaves out what it has no time for, something else each time. */
async function runAll(tests: EndToEndTests, show: (output: Buffer) => void): Promise<Count[]> {
  if (!tests.isPart) return [await runPlaywright(tests, tests.wanted, show)]
  const files = globSync('tests/e2e/*.spec.ts').sort()
  const first = randomInt(PARTS)
  const parts = Array.from({ length: PARTS }, (_, part) =>
    files.filter((_, at) => at % PARTS === (first + part) % PARTS),
  )
  const start = performance.now()
  const counts: Count[] = []
  for (const part of parts) {
    const elapsed = performance.now() - start
    // The next one takes about as long as those before.
    if (counts.length > 0 && elapsed + elapsed / counts.length > ROOM) break
    counts.push(await runPlaywright(tests, part, show))
  }
  const leftOut = parts.slice(counts.length).flat()
  if (leftOut.length > 0) show(Buffer.from(`\nNo time on this machine for ${leftOut.join(', ')}\n`))
  return counts
}

async function runPlaywright(
  { browser, databaseUrl, pattern, onPass }: EndToEndTests,
  files: readonly string[],
  show: (output: Buffer) => void,
): Promise<Count> {
  const report = join(mkdtempSync(join(tmpdir(), 'landfall-e2e-')), 'report.json')
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
    ...(pattern ? ['--grep', pattern.source] : []),
    ...files,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const kill = () => child.kill()
  process.once('exit', kill)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', show)
  const status = await new Promise<number | null>(resolve => child.on('close', resolve))
  process.removeListener('exit', kill)
  return readReport(report, status, onPass)
}

function readReport(report: string, status: number | null, onPass: EndToEndTests['onPass']): Count {
  try {
    const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'))
    for (const suite of suites) reportPassed(suite, onPass)
    // Tests are retried only where `CI` is set (playwright.config.ts). Playwright's list names them.
    if (stats.flaky > 0) process.stdout.write(`Passed only when retried: ${stats.flaky}\n`)
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  } catch {
    return { passed: 0, failed: status === 0 ? 0 : 1 }
  } finally {
    rmSync(dirname(report), { recursive: true, force: true })
  }
}

function reportPassed({ specs = [], suites = [] }: ReportedSuite, onPass: EndToEndTests['onPass']) {
  for (const { title, ok } of specs) if (ok) onPass(title)
  for (const suite of suites) reportPassed(suite, onPass)
}
