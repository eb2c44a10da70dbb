import { parseArgs } from 'node:util'
import { printTable } from '../bench/table.ts'
import { type PrivatePostgres, startPostgres } from '../scripts/postgres.ts'
import { createTestDatabase } from '../src/testing/database.ts'
import { proveWithoutDefences } from './break.ts'
import { type Engine, engines, type Fault, type Outcome } from './fault.ts'
import { faults } from './faults.ts'

/**
 * Breaks the product in every way of the list and holds what visitors were told against what is there afterwards:
 * `npm run prove`, `npm run prove -- --full`, `npm run prove -- --only F1,F2 --engine SQLite --seed 7`.
 * With `--break` it shows instead that each proof fails on a copy without the defence that it is about.
 */
const { values: given } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    engine: { type: 'string' },
    break: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
})
const wanted = given.only?.split(',')
const stopping = new AbortController()
const began = performance.now()
process.once('SIGINT', () => {
  say('\nStopping; a second time ends it at once.')
  stopping.abort()
  process.once('SIGINT', () => process.exit(130))
})

say(`Seed ${given.seed}`)
if (given.break) process.exit(proveWithoutDefences(given.seed) ? 0 : 1)
const heading = ['fault', '', 'engine', 'cycles', 'acknowledged', 'lost', 'duplicated', 'seconds', '']
const rows: string[][] = []
let isGood = true
const wantedFaults = faults.filter(({ name }) => !wanted || wanted.includes(name))
// Most of the time is spent waiting, so the engines are tried side by side.
await Promise.all(engines.filter(engine => !given.engine || engine === given.engine).map(runAll))
process.stdout.write('\n')
printTable([heading, ...rows.sort(([one = ''], [other = '']) => placeOf(one) - placeOf(other))])
say(
  `${isGood ? 'Nothing was lost' : 'NOT PROVEN'}, seed ${given.seed}, ${Math.round((performance.now() - began) / 1000)} s`,
)
process.exit(isGood && !stopping.signal.aborted ? 0 : 1)

async function runAll(engine: Engine) {
  for (const fault of wantedFaults)
    if (fault.engines.includes(engine) && !stopping.signal.aborted) await runFault(fault, engine)
}

function placeOf(name: string): number {
  return faults.findIndex(fault => fault.name === name)
}

async function runFault(fault: Fault, engine: Engine) {
  const { name, title } = fault
  const start = performance.now()
  const postgres = engine === 'PostgreSQL' ? await startPostgres(process.env.CI !== undefined) : null
  if (engine === 'PostgreSQL' && !postgres) {
    rows.push([name, title, engine, '', '', '', '', '', 'left out: PostgreSQL is not installed here'])
    return
  }
  const outcome = await tryOut(fault, engine, postgres).catch(
    (error): Outcome => ({
      cycles: 0,
      acknowledged: 0,
      lost: 0,
      duplicated: 0,
      complaints: [error instanceof Error ? error.message : String(error)],
    }),
  )
  postgres?.stop()
  const { cycles, acknowledged, lost, duplicated, complaints, remark = '' } = outcome
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const figures = [cycles, acknowledged, lost, duplicated].map(String)
  const isFine = lost === 0 && duplicated === 0 && complaints.length === 0
  isGood &&= isFine
  rows.push([name, title, engine, ...figures, seconds, isFine ? remark : 'NOT PROVEN'])
  tell(`${name} on ${engine}: ${isFine ? 'good' : 'NOT PROVEN'}\n`)
  for (const complaint of complaints) say(`  ${complaint}`)
}

async function tryOut(fault: Fault, engine: Engine, postgres: PrivatePostgres | null): Promise<Outcome> {
  return await fault.prove({
    engine,
    cycles: (short, full) => (given.full ? full : short),
    random: randomFrom(`${given.seed} ${fault.name} ${engine}`),
    createDatabase: async () => (postgres ? await createTestDatabase(postgres.url) : null),
    postgres,
    tell: text => tell(`${fault.name} on ${engine}: ${text}`),
    signal: stopping.signal,
  })
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function tell(text: string) {
  process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${text}` : text.endsWith('\n') ? text : '')
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
