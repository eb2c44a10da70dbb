import { parseArgs } from 'node:util'
import { printTable } from '../../bench/table.ts'
import { engines, type Form } from './fault.ts'
import { faults, quickFaults } from './faults.ts'
import { type FaultResult, proveAll } from './run-faults.ts'
import { proveWithoutDefences } from './without-defences.ts'

/**
 * Breaks the product in every way of the list and holds what visitors were told against what is there afterwards:
 * `npm run prove`, `npm run prove -- --full`, `npm run prove -- --only F1,F2 --engine SQLite --seed 7`. `--quick` is
 * what every test run does. With `--break` it shows instead that each proof fails on a copy without the defence that it
 * is about. Ctrl+C ends it, and leaves nothing behind.
 */
const { values: given } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    engine: { type: 'string' },
    break: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
})
/** Milliseconds between two lines where there is no terminal to write the same line anew. */
const QUIET = 10_000

const form: Form = given.full ? 'full' : given.quick ? 'quick' : 'short'
const wanted = given.only?.split(',')
const stopping = new AbortController()
const began = performance.now()
const results: FaultResult[] = []
let told = performance.now()

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(130)
    say('\nStopping; a second time ends it at once.')
    stopping.abort()
  })

say(`Seed ${given.seed}`)
if (given.break) process.exit((await proveWithoutDefences(given.seed, wanted, stopping.signal)) ? 0 : 1)
await proveAll({
  faults: (given.quick ? quickFaults : faults).filter(({ name }) => !wanted || wanted.includes(name)),
  engines: engines.filter(engine => !given.engine || engine === given.engine),
  form,
  seed: given.seed,
  signal: stopping.signal,
  tell,
  note(result) {
    results.push(result)
    say(`${clearLine()}${result.fault.name} on ${result.engine}: ${result.outcome.leftOut ?? result.verdict}`)
    if (result.verdict === 'NOT PROVEN')
      for (const complaint of result.outcome.complaints) say(`  ${complaint}`)
  },
})
const isGood = results.every(({ verdict }) => verdict !== 'NOT PROVEN')
const seconds = Math.round((performance.now() - began) / 1000)
say('')
printTable([heading(), ...results.sort((one, other) => placeOf(one) - placeOf(other)).map(toRow)])
const end = stopping.signal.aborted ? 'Interrupted' : 'Nothing was lost'
say(`${isGood ? end : 'NOT PROVEN'}, seed ${given.seed}, ${seconds} s`)
process.exit(isGood && results.length > 0 && !stopping.signal.aborted ? 0 : 1)

function heading(): string[] {
  return ['fault', '', 'engine', 'cycles', 'acknowledged', 'lost', 'duplicated', 'seconds', '']
}

function toRow({ fault, engine, outcome, seconds, verdict }: FaultResult): string[] {
  const { cycles, acknowledged, lost, duplicated, remark = '' } = outcome
  const figures = verdict === 'left out' ? ['', '', '', ''] : [cycles, acknowledged, lost, duplicated]
  const last = verdict === 'good' ? remark : verdict
  return [fault.name, fault.title, engine, ...figures.map(String), seconds.toFixed(0), last]
}

function placeOf({ fault, engine }: FaultResult): number {
  return faults.indexOf(fault) * engines.length + engines.indexOf(engine)
}

function tell(text: string) {
  if (!process.stdout.isTTY && performance.now() - told < QUIET) return
  told = performance.now()
  process.stdout.write(process.stdout.isTTY ? `${clearLine()}${text}` : `${text}\n`)
}

function clearLine(): string {
  return process.stdout.isTTY ? '\r\u001b[K' : ''
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
