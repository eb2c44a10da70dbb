import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

export interface Count {
  passed: number
  failed: number
}

/** Where `scripts/bundle-tests.ts` puts what it makes of a file. */
const BUNDLES = resolve('build/tests')

interface UnitTests {
  readonly files: readonly string[]
  /** Those of the files that are bundled. */
  readonly bundled: ReadonlySet<string>
  readonly env: NodeJS.ProcessEnv
  /** Only tests with such a name. */
  readonly pattern: RegExp | null
  readonly onPass: (name: string) => void
}

/** More than there are cores: many files mostly wait for a disk, a time window or a provider that hangs. */
const CONCURRENCY = 4

/**
 * Runs test files, each in a process of its own. Where `CI` is set, those that failed are run again, one at a time, because
 * shared machines lose whole seconds; the output names them. Bundled ones run from their sources then.
 */
export async function runUnitTests(tests: UnitTests): Promise<Count> {
  const counts = await runFiles(tests, CONCURRENCY)
  const failed = [...counts].flatMap(([file, count]) => (count.failed > 0 ? [file] : []))
  if (process.env.CI && failed.length > 0) {
    process.stdout.write(`\nAgain, one at a time: ${failed.join(', ')}\n`)
    for (const [file, count] of await runFiles({ ...tests, files: failed, bundled: new Set() }, 1))
      counts.set(file, count)
  }
  const sum = (key: keyof Count) => [...counts.values()].reduce((total, count) => total + count[key], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

async function runFiles({ files, bundled, env, pattern, onPass }: UnitTests, concurrency: number) {
  const counts = new Map<string, Count>()
  function countOf(path = '') {
    const file = sourceOf(path)
    const count = counts.get(file) ?? { passed: 0, failed: 0 }
    counts.set(file, count)
    return count
  }
  const stream = run({
    files: files.map(file => (bundled.has(file) ? bundleOf(file) : file)),
    concurrency,
    env,
    // A suite without a chosen test does not close what it opened, so its process would not end.
    ...(pattern && { testNamePatterns: [pattern], execArgv: ['--test-force-exit'] }),
  })
  stream.on('test:pass', ({ details, file, name }) => {
    if (details.type === 'suite') return
    countOf(file).passed++
    onPass(name)
  })
  stream.on('test:fail', ({ details, file }) => {
    // A suite fails because one of its tests did, which is counted already, or before it ran any.
    const { type, error } = details
    const isCounted = type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed'
    if (!isCounted) countOf(file).failed++
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return counts
}

function bundleOf(file: string): string {
  return resolve(BUNDLES, file.replace(/ts$/, 'js'))
}

function sourceOf(path: string): string {
  return path.startsWith(BUNDLES) ? resolve(relative(BUNDLES, path).replace(/js$/, 'ts')) : path
}
