import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { createConcurrencyLimit } from '../src/platform/turns.ts'
import type { Engine } from '../tests/faults/fault.ts'

/** What ran, and what became of it. */
export interface Result {
  /** The names of the tests that passed, each with its file. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

/** Where `scripts/bundle-tests.ts` puts what it makes of a file. */
export const BUNDLES = resolve('build/tests')

/** More than there are cores: many tests wait for a disk, a time window or a provider that hangs. */
const limitProcesses = createConcurrencyLimit(6)
/** Files of one process, so that none takes long when the others have ended. */
const FILES_EACH = 12

/** Megabytes for young objects, most of which then die before they are copied: a tenth of the processor time. */
const YOUNG = 32
const nodeOptions = [
  '--enable-source-maps',
  `--import=${new URL('follow-tests.ts', import.meta.url)}`,
  `--min-semi-space-size=${YOUNG}`,
  `--max-semi-space-size=${YOUNG}`,
]

interface UnitTests {
  readonly files: readonly string[]
  /** Those of the files that share no process with another. */
  readonly alone: ReadonlySet<string>
  readonly engine: Engine
  readonly env: NodeJS.ProcessEnv
}

/**
 * Runs bundled test files, as many as may share a process in one, after those that were asked for before. Prints each file as
 * it ends, and each failure at once.
 */
export async function runUnitTests({ files, alone, engine, env }: UnitTests): Promise<Result> {
  const shared = files.filter(file => !alone.has(file))
  // Those alone first, some of which take half a minute: at the end, they would leave a core without work.
  const groups = [...files.filter(file => alone.has(file)).map(file => [file]), ...deal(shared, FILES_EACH)]
  const results = await Promise.all(
    groups.map((group, at) =>
      limitProcesses(() => runGroup(writeEntry(`${engine}-${at}`, group), group, engine, env)),
    ),
  )
  return { passed: results.flatMap(({ passed }) => passed), failed: results.flatMap(({ failed }) => failed) }
}

/** Like cards, so that neighbours, which are about as slow as each other, come into different groups. */
function deal(files: readonly string[], each: number): string[][] {
  const count = Math.ceil(files.length / each)
  return Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
}

/** Each file is a test of its own, in which its tests are: the next one is loaded when its tests have ended. */
function writeEntry(name: string, group: readonly string[]): string {
  const entry = join(BUNDLES, `process-${name}.js`)
  const tests = group.map(file => {
    const bundle = JSON.stringify(`./${file.replace(/ts$/, 'js')}`)
    return `test(${JSON.stringify(file)}, async () => void (await import(${bundle})))\n`
  })
  mkdirSync(BUNDLES, { recursive: true })
  writeFileSync(entry, `import { test } from 'node:test'\n${tests.join('')}`)
  return entry
}

async function runGroup(
  entry: string,
  group: readonly string[],
  engine: Engine,
  env: NodeJS.ProcessEnv,
): Promise<Result> {
  const result: { passed: string[]; failed: string[] } = { passed: [], failed: [] }
  const notRun = new Set(group)
  let [file, count] = ['', 0]
  function fail(name: string, error: unknown) {
    result.failed.push(name)
    say(`✖ ${name}, on ${engine}\n${inspect(error, { colors: process.stdout.isTTY }).replace(/^/gm, '    ')}`)
  }
  const stream = run({ files: [entry], env, execArgv: nodeOptions })
  stream.on('test:dequeue', ({ nesting, name }) => {
    if (nesting === 0 && notRun.has(name)) [file, count] = [name, 0]
  })
  // Unlike `test:pass` and `test:fail`, it comes when the test has ended.
  stream.on('test:complete', ({ nesting, name, details, skip }) => {
    const { passed, type, duration_ms: time, error } = details
    const failureType = error && 'failureType' in error ? error.failureType : null
    if (nesting === 0 && notRun.delete(name)) {
      say(`${passed ? '✔' : '✖'} ${name}, on ${engine}: ${count} tests, ${(time / 1000).toFixed(1)} s`)
      if (!passed && failureType !== 'subtestsFailed') fail(name, error)
      return
    }
    if (name === entry) return
    const fullName = `${file}: ${name}`
    // A suite fails because one of its tests did, which is counted already, or before it ran any.
    if (type === 'suite') {
      if (!passed && failureType !== 'subtestsFailed') fail(fullName, error)
      return
    }
    if (skip !== undefined) return
    count++
    if (passed) result.passed.push(fullName)
    else fail(fullName, error)
  })
  stream.on('test:stdout', ({ message }) => process.stdout.write(message))
  stream.on('test:stderr', ({ message }) => process.stderr.write(message))
  stream.on('test:diagnostic', ({ nesting, message }) => {
    if (nesting > 0) say(`ℹ ${file}: ${message}`)
  })
  for await (const _ of stream);
  for (const name of notRun) fail(name, 'Its process ended before it.')
  return result
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
