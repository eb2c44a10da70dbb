import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '../../scripts/postgres.ts'
import type { Mutation } from './mutation.ts'
import { mutations } from './mutations.ts'

/**
 * Removes one defence after another from a copy of the last commit, and expects a test to fail each time. Arguments
 * choose defences whose name contains one of them. A defence whose removal no test detects is printed, and fails the run.
 */
const wanted = process.argv.slice(2)
const chosen = mutations.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
const testDatabaseUrl = process.env.TEST_DATABASE_URL
const postgres = testDatabaseUrl || !chosen.some(it => it.onPostgres) ? null : await startPostgres(false)
const databaseUrl = testDatabaseUrl ?? postgres?.url
const copy = mkdtempSync(join(tmpdir(), 'landfall-mutations-'))
const folder = join(copy, 'landfall')
let undetected = 0
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

try {
  git('worktree', 'add', '--detach', folder, 'HEAD')
  for (const name of ['node_modules', 'build']) symlinkSync(resolve(name), join(folder, name))
  for (const mutation of chosen) {
    if (stopping.signal.aborted) break
    if (mutation.onPostgres && !databaseUrl) say(mutation, 'skipped: PostgreSQL is not installed here')
    else await testWithout(mutation)
  }
} finally {
  git('worktree', 'remove', '--force', folder)
  rmSync(copy, { recursive: true, force: true })
  postgres?.stop()
}
process.stdout.write(
  stopping.signal.aborted
    ? 'Interrupted.\n'
    : `${chosen.length} defences, ${undetected} whose removal no test detects\n`,
)
process.exit(undetected === 0 && chosen.length > 0 && !stopping.signal.aborted ? 0 : 1)

async function testWithout(mutation: Mutation) {
  const before = await runTests(mutation)
  if (stopping.signal.aborted) return
  if (before.passed === 0 || before.failed > 0)
    return reportUndetected(mutation, 'its tests fail without the mutation')
  const path = join(folder, mutation.file)
  const source = readFileSync(path, 'utf8')
  // A function, since `$` has a meaning in a replacement string.
  writeFileSync(
    path,
    source.replace(mutation.text, () => mutation.instead),
  )
  const { failed, output } = await runTests(mutation)
  writeFileSync(path, source)
  if (stopping.signal.aborted) return
  if (/SyntaxError|ERR_INVALID_TYPESCRIPT/.test(output))
    return reportUndetected(mutation, 'does not run without it')
  if (failed === 0) return reportUndetected(mutation, 'NO TEST DETECTS ITS REMOVAL')
  say(mutation, `detected by ${failed} of ${before.passed}`)
}

async function runTests({ test, named, onPostgres }: Mutation) {
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
    signal: stopping.signal,
  }
  const stdout = await new Promise<string>(resolve => {
    execFile(process.execPath, args, options, (_error, output) => resolve(output))
  })
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0)
  const isKilled = !/^# pass \d+$/m.test(stdout)
  return {
    passed: count('pass'),
    failed: isKilled ? 1 : count('fail') + count('cancelled'),
    output: stdout,
  }
}

function reportUndetected(mutation: Mutation, what: string) {
  undetected++
  say(mutation, what)
}

function say({ name }: Mutation, what: string) {
  process.stdout.write(`${name.padEnd(68)} ${what}\n`)
}

function git(...args: string[]) {
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
