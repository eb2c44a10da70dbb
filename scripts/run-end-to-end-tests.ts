import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Result } from './run-unit-tests.ts'

/** A part of Playwright's report. */
interface ReportedSuite {
  readonly file?: string
  readonly specs?: readonly {
    readonly title: string
    readonly file: string
    readonly tests: readonly { readonly projectName: string; readonly status: string }[]
  }[]
  readonly suites?: readonly ReportedSuite[]
}

interface BrowserTests {
  readonly browser: string
  readonly databaseUrl: string | undefined
  /** Parts of paths; all without any. */
  readonly wanted: readonly string[]
  /** Only tests with such a name. */
  readonly pattern: RegExp | null
}

/** Runs the tests in a browser and prints each as it ends. @returns what became of them, by project of playwright.config.ts */
export async function runBrowserTests(tests: BrowserTests): Promise<Map<string, Result>> {
  const report = join(mkdtempSync(join(tmpdir(), 'landfall-e2e-')), 'report.json')
  const { browser, databaseUrl, pattern, wanted } = tests
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
    ...wanted,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env })
  const kill = () => child.kill()
  process.once('exit', kill)
  const status = await new Promise<number | null>(resolve => child.on('close', resolve))
  process.removeListener('exit', kill)
  return readReport(report, status)
}

function readReport(report: string, status: number | null): Map<string, Result> {
  const results = new Map<string, { passed: string[]; failed: string[] }>()
  function resultOf(project: string) {
    const result = results.get(project) ?? { passed: [], failed: [] }
    results.set(project, result)
    return result
  }
  function read({ specs = [], suites = [] }: ReportedSuite) {
    for (const { title, file, tests } of specs)
      for (const { projectName, status } of tests) {
        const result = resultOf(projectName)
        if (status === 'expected') result.passed.push(`${file}: ${title}`)
        else if (status !== 'skipped') result.failed.push(`${file}: ${title}`)
      }
    suites.forEach(read)
  }
  try {
    const { suites } = JSON.parse(readFileSync(report, 'utf8'))
    suites.forEach(read)
  } catch {
    // Without a report nothing is known of the tests, but that they did not run.
  } finally {
    rmSync(dirname(report), { recursive: true, force: true })
  }
  // Such as an error in the configuration, or outside of a test.
  const hasFailed = [...results.values()].some(({ failed }) => failed.length > 0)
  if (status !== 0 && !hasFailed) resultOf('').failed.push(`Playwright ended with ${status}`)
  return results
}
