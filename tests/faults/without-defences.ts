import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atTheEnd } from './at-the-end.ts'
import { type Defence, defences } from './defences.ts'

/** All that the build and the proofs need. */
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
/** Proofs that fail mostly wait for what never comes. */
const AT_ONCE = 3

const run = promisify(execFile)

/**
 * Takes one defence after the other out of a copy of the product and runs the proof that must then fail: a harness that
 * cannot see a loss proves nothing. @param wanted names of faults; all when there is none
 * @returns whether every proof failed without its defence
 */
export async function proveWithoutDefences(
  seed: string,
  wanted: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const left = defences.filter(({ fault }) => !wanted || wanted.includes(fault))
  let areAllSeen = left.length > 0
  const proveSome = async () => {
    for (let defence = left.shift(); defence && !signal.aborted; defence = left.shift()) {
      const failure = await failsWithout(defence, seed).catch(error => {
        say(`  ${error instanceof Error ? error.message : error}`)
        return null
      })
      areAllSeen &&= failure !== null
      say(`${defence.fault} without this: ${defence.title}`)
      say(failure ? `  fails, as it must: ${failure.trim()}` : '  THE PROOF DOES NOT SEE IT')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, proveSome))
  say(areAllSeen && !signal.aborted ? 'Every proof fails without its defence' : 'NOT PROVEN')
  return areAllSeen && !signal.aborted
}

/** @returns the line that says so; null when the proof succeeds, or fails for another reason. */
async function failsWithout(
  { file, from, to, fault, engine, isRare, seen }: Defence,
  seed: string,
): Promise<string | null> {
  const copy = mkdtempSync(join(tmpdir(), 'landfall-broken-'))
  const leave = atTheEnd(() => rmSync(copy, { recursive: true, force: true }))
  try {
    for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
    const text = readFileSync(join(copy, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`)
    writeFileSync(join(copy, file), text.replace(from, to))
    await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn'], {
      cwd: copy,
    })
    const proof = ['--seed', seed, '--only', fault, '--engine', engine, ...(isRare ? ['--full'] : [])]
    const stdout = await run(process.execPath, ['tests/faults/main.ts', ...proof], { cwd: copy }).then(
      output => output.stdout,
      // It ends with a failure, as it must.
      error => String(error.stdout),
    )
    if (!stdout.includes('Seed ')) throw new Error('The proof did not run')
    const lines = stdout.split('\n').map(line => line.replace(/\s+/g, ' '))
    return lines.find(line => seen.test(line)) ?? null
  } finally {
    leave()
  }
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
