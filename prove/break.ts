import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Takes one defence after the other out of a copy of the product and runs the proof that must then fail: a harness that
 * cannot see a loss proves nothing. `npm run prove -- --break`
 */
interface Defence {
  readonly title: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly proof: readonly string[]
  /** The line with which the proof must fail: another failure would say nothing of this defence. */
  readonly seen: RegExp
}

/** Cycles, acknowledged, lost, duplicated, seconds. */
const LOST = /^F1 .* \d+ \d+ [1-9]\d* \d+ \d+ NOT PROVEN$/

const defences: readonly Defence[] = [
  {
    title: 'the answer waits for the commit',
    file: 'src/features/enquiries/accept.server.ts',
    from: 'const tell = await store(',
    to: 'const tell = () => {}; void store(',
    proof: ['--only', 'F1', '--engine', 'SQLite'],
    seen: LOST,
  },
  {
    title: 'the letter is in the transaction of its enquiry',
    file: 'src/features/enquiries/accept.server.ts',
    from: 'else await addNotice(services, transaction, values, { id, reference, formType, enquiry })',
    to: 'else setTimeout(() => addNotice(services, db, values, { id, reference, formType, enquiry }), 50)',
    proof: ['--only', 'F1', '--engine', 'SQLite'],
    seen: LOST,
  },
  {
    title: 'a letter in hand is leased',
    file: 'src/mail/outbox.ts',
    from: 'leased_until: isoAfter(clock, LEASE), ',
    to: '',
    proof: ['--only', 'F13', '--engine', 'PostgreSQL'],
    seen: /^ [1-9]\d* letters came more than once, after 0 kills$/,
  },
  {
    title: 'a repeat gets the first answer',
    file: 'src/features/enquiries/api.server.ts',
    from: 'key ? repeatByKey(formType, key) : null',
    to: 'key ? null : null',
    proof: ['--only', 'F11', '--engine', 'SQLite'],
    seen: /^F11 .* [1-9]\d* \d+ NOT PROVEN$/,
  },
]

/** All that the build and the proofs need. */
const COPIED = [
  'src',
  'prove',
  'bench',
  'scripts',
  'public',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** @returns whether every proof failed without its defence. */
export function proveWithoutDefences(seed: string): boolean {
  const results = defences.map(defence => {
    process.stdout.write(`Without this: ${defence.title} … `)
    const failure = failsWithout(defence, seed)
    process.stdout.write(
      failure ? `the proof fails, as it must:\n  ${failure}\n` : 'THE PROOF DOES NOT SEE IT\n',
    )
    return failure !== null
  })
  return results.every(Boolean)
}

/** @returns the line that says so; null when the proof succeeds, or fails for another reason. */
function failsWithout({ file, from, to, proof, seen }: Defence, seed: string): string | null {
  const copy = mkdtempSync(join(tmpdir(), 'landfall-broken-'))
  try {
    for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
    const text = readFileSync(join(copy, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`)
    writeFileSync(join(copy, file), text.replace(from, to))
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    const built = run('node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn')
    if (built.status !== 0) throw new Error(`The copy cannot be built: ${built.stderr}`)
    const { stdout } = run('prove/run.ts', '--seed', seed, ...proof)
    if (!stdout.includes('Seed ')) throw new Error('The proof did not run')
    const lines = stdout.split('\n').map(line => line.replace(/\s+/g, ' '))
    return lines.find(line => seen.test(line)) ?? null
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
