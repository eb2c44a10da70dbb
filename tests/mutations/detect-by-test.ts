import { execFile } from 'node:child_process'
import type { Detection, MutationOptions, TestMutation } from './mutation.ts'

/** Runs the tests of a mutation before and after the change: they must pass, and then fail. */
export async function detectByTest(
  folder: string,
  mutation: TestMutation,
  change: () => void,
  options: MutationOptions,
): Promise<Detection> {
  if (mutation.onPostgres && !options.databaseUrl)
    return { isDetected: true, remark: 'skipped: PostgreSQL is not installed here' }
  const before = await runTests(folder, mutation, options)
  if (before.passed === 0 || before.failed > 0)
    return { isDetected: false, remark: 'its tests fail without the mutation' }
  change()
  const { failed, output } = await runTests(folder, mutation, options)
  if (/SyntaxError|ERR_INVALID_TYPESCRIPT/.test(output))
    return { isDetected: false, remark: 'does not run without it' }
  if (failed === 0) return { isDetected: false, remark: 'NO TEST DETECTS ITS REMOVAL' }
  return { isDetected: true, remark: `detected by ${failed} of ${before.passed}` }
}

async function runTests(
  folder: string,
  { test, named, onPostgres }: TestMutation,
  { databaseUrl, signal }: MutationOptions,
) {
  const pattern = named ? [`--test-name-pattern=${named.replace(/[()]/g, '\\$&')}`] : []
  const { TEST_DATABASE_URL: _, ...env } = process.env
  // A suite without a chosen test does not close what it opened, so the process would not end.
  const args = ['--test', '--test-force-exit', '--test-reporter=tap', ...pattern, test]
  const options = {
    cwd: folder,
    env: { ...env, ...(onPostgres && databaseUrl && { TEST_DATABASE_URL: databaseUrl }) },
    // Without its defence, a test may hang.
    timeout: 120_000,
    maxBuffer: Number.POSITIVE_INFINITY,
    signal,
  }
  const output = await new Promise<string>(resolve => {
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout))
  })
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const isKilled = !/^# pass \d+$/m.test(output)
  return { passed: count('pass'), failed: isKilled ? 1 : count('fail') + count('cancelled'), output }
}
