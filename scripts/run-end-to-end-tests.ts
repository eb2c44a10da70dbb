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

/** Starts them in the background. Their output is kept until `finish`, so that it does not mix with that of others. */
export function startEndToEndTests({ browser, databaseUrl, wanted, pattern, isPart, onPass }: EndToEndTests) {
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
    ...(pattern ? ['--grep', pattern.source] : []),
    ...(isPart ? everySecond() : wanted),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  process.once('exit', () => child.kill())
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const kept: Buffer[] = []
  let show = (output: Buffer): unknown => kept.push(output)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output => show(output))
  return {
    async finish(): Promise<Count> {
      process.stdout.write('\nEnd-to-end tests in the browser\n')
      for (const output of kept) process.stdout.write(output)
      show = output => process.stdout.write(output)
      return readReport(report, await ended, onPass)
    },
  }
}

/** The whole run in CI takes every second file, with another start each time, to end within its twenty minutes. */
function everySecond(): string[] {
  const files = globSync('tests/e2e/*.spec.ts').sort()
  const start = randomInt(2)
  process.stdout.write(
    `Every second of ${files.length} end-to-end files, beginning with number ${start + 1}\n`,
  )
  return files.filter((_, at) => at % 2 === start)
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
