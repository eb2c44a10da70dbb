import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Defence, defences } from './defences.ts'
import { onExit } from './on-exit.ts'

/** Everything that the build and the fault runs need. */
const COPIED = [
  'src',
  'tests',
  'bench',
  'scripts',
  'public',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
]
/** A failing run mostly waits for a timeout. */
const CONCURRENCY = 3

const run = promisify(execFile)

/**
 * Removes one defence after another from a copy of the product and runs the fault that must then fail: a test that
 * cannot detect a loss proves nothing. @param wanted names of faults; all when undefined
 * @returns whether every run failed without its defence
 */
export async function runWithoutDefences(
  seed: string,
  wanted: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const left = defences.filter(({ fault }) => !wanted || wanted.includes(fault))
  let areAllDetected = left.length > 0
  const runSome = async () => {
    for (let defence = left.shift(); defence && !signal.aborted; defence = left.shift()) {
      const failure = await failsWithout(defence, seed).catch(error => {
        say(`  ${error instanceof Error ? error.message : error}`)
        return null
      })
      areAllDetected &&= failure !== null
      say(`${defence.fault} without this defence: ${defence.title}`)
      say(failure ? `  fails, as expected: ${failure.trim()}` : '  NOT DETECTED')
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runSome))
  say(areAllDetected && !signal.aborted ? 'Every fault run fails without its defence' : 'FAILED')
  return areAllDetected && !signal.aborted
}

/** @returns the matching line of the output; null when the run passes, or fails for another reason. */
async function failsWithout(
  { file, from, to, fault, engine, isRare, seen }: Defence,
  seed: string,
): Promise<string | null> {
  const copy = mkdtempSync(join(tmpdir(), 'landfall-broken-'))
  const leave = onExit(() => rmSync(copy, { recursive: true, force: true }))
  try {
    for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
    const text = readFileSync(join(copy, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`)
    writeFileSync(join(copy, file), text.replace(from, to))
    await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn'], {
      cwd: copy,
    })
    const args = ['--seed', seed, '--only', fault, '--engine', engine, ...(isRare ? ['--full'] : [])]
    const stdout = await run(process.execPath, ['tests/faults/main.ts', ...args], { cwd: copy }).then(
      output => output.stdout,
      // It exits with a failure, as expected.
      error => String(error.stdout),
    )
    if (!stdout.includes('Seed ')) throw new Error('The fault did not run')
    const lines = stdout.split('\n').map(line => line.replace(/\s+/g, ' '))
    return lines.find(line => seen.test(line)) ?? null
  } finally {
    leave()
  }
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
