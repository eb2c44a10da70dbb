import { parseArgs } from 'node:util'
import { printTable } from '../../bench/table.ts'
import { faultMutations } from '../mutations/faults.ts'
import { runMutations } from '../mutations/run-mutations.ts'
import { engines, type Form } from './fault.ts'
import { faults, quickFaults } from './faults.ts'
import { type FaultResult, runFaults } from './run-faults.ts'

/**
 * Injects every fault of the list and compares the responses that visitors got with the database afterwards:
 * `npm run test:faults`, `npm run test:faults -- --full`, `npm run test:faults -- --only F1,F2 --engine SQLite --seed 7`. `--quick` is
 * what every test run does. `--break` shows instead that each fault run fails on a copy of the product without the
 * defence it tests. Ctrl+C ends it, and leaves nothing behind.
 */
const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    engine: { type: 'string' },
    break: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
})
/** Milliseconds between two lines of progress where there is no terminal to overwrite the line. */
const PROGRESS_INTERVAL = 10_000

const form: Form = options.full ? 'full' : options.quick ? 'quick' : 'short'
const wanted = options.only?.split(',')
const stopping = new AbortController()
const began = performance.now()
const results: FaultResult[] = []
let lastShown = performance.now()

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(130)
    say('\nStopping. Press Ctrl+C again to end it immediately.')
    stopping.abort()
  })

say(`Seed ${options.seed}`)
if (options.break) {
  const chosen = faultMutations.filter(({ fault }) => !wanted || wanted.includes(fault))
  const mutationOptions = { databaseUrl: undefined, seed: options.seed, signal: stopping.signal }
  process.exit((await runMutations(chosen, mutationOptions)) ? 0 : 1)
}
await runFaults({
  faults: (options.quick ? quickFaults : faults).filter(({ name }) => !wanted || wanted.includes(name)),
  engines: engines.filter(engine => !options.engine || engine === options.engine),
  form,
  seed: options.seed,
  signal: stopping.signal,
  showProgress,
  recordResult(result) {
    results.push(result)
    say(`${clearLine()}${result.fault.name} on ${result.engine}: ${result.outcome.skipped ?? result.verdict}`)
    if (result.verdict === 'FAILED') for (const failure of result.outcome.failures) say(`  ${failure}`)
  },
})
const hasPassed = results.every(({ verdict }) => verdict !== 'FAILED')
const seconds = Math.round((performance.now() - began) / 1000)
say('')
printTable([heading(), ...results.sort((one, other) => orderOf(one) - orderOf(other)).map(toRow)])
const end = stopping.signal.aborted ? 'Interrupted' : 'Nothing was lost'
say(`${hasPassed ? end : 'FAILED'}, seed ${options.seed}, ${seconds} s`)
process.exit(hasPassed && results.length > 0 && !stopping.signal.aborted ? 0 : 1)

function heading(): string[] {
  return ['fault', '', 'engine', 'cycles', 'acknowledged', 'lost', 'duplicated', 'seconds', '']
}

function toRow({ fault, engine, outcome, seconds, verdict }: FaultResult): string[] {
  const { cycles, acknowledged, lost, duplicated, remark = '' } = outcome
  const figures = verdict === 'skipped' ? ['', '', '', ''] : [cycles, acknowledged, lost, duplicated]
  const last = verdict === 'passed' ? remark : verdict
  return [fault.name, fault.title, engine, ...figures.map(String), seconds.toFixed(0), last]
}

function orderOf({ fault, engine }: FaultResult): number {
  return faults.indexOf(fault) * engines.length + engines.indexOf(engine)
}

function showProgress(text: string) {
  if (!process.stdout.isTTY && performance.now() - lastShown < PROGRESS_INTERVAL) return
  lastShown = performance.now()
  process.stdout.write(process.stdout.isTTY ? `${clearLine()}${text}` : `${text}\n`)
}

function clearLine(): string {
  return process.stdout.isTTY ? '\r\u001b[K' : ''
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
