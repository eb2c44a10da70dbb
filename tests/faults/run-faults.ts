import { startPostgres } from '../../scripts/postgres.ts'
import { createTestDatabase } from '../support/database.ts'
import { atTheEnd } from './at-the-end.ts'
import { type Engine, type Fault, type Form, leftOut, type Outcome } from './fault.ts'

export interface FaultRequest {
  readonly faults: readonly Fault[]
  readonly engines: readonly Engine[]
  readonly form: Form
  readonly seed: string
  readonly signal: AbortSignal
  /** Told how far it is, often. */
  readonly tell: (text: string) => void
  /** Told each finding as it is made. */
  readonly note: (result: FaultResult) => void
}

/** What came of one fault on one engine. */
export interface FaultResult {
  readonly fault: Fault
  readonly engine: Engine
  readonly outcome: Outcome
  readonly seconds: number
  /** `interrupted` says nothing either way. */
  readonly verdict: 'good' | 'NOT PROVEN' | 'left out' | 'interrupted'
}

/** Tries every fault on every engine that it is about. The engines are tried side by side, since both mostly wait. */
export async function proveAll(wish: FaultRequest): Promise<void> {
  await Promise.all(wish.engines.map(engine => proveOn(engine, wish)))
}

async function proveOn(engine: Engine, wish: FaultRequest) {
  for (const fault of wish.faults)
    if (fault.engines.includes(engine) && !wish.signal.aborted) await proveOne(fault, engine, wish)
}

async function proveOne(fault: Fault, engine: Engine, wish: FaultRequest) {
  const start = performance.now()
  const outcome = await tryOut(fault, engine, wish).catch(failed)
  const seconds = (performance.now() - start) / 1000
  wish.note({ fault, engine, outcome, seconds, verdict: judge(outcome, wish.signal) })
}

function judge(
  { lost, duplicated, complaints, leftOut }: Outcome,
  signal: AbortSignal,
): FaultResult['verdict'] {
  if (leftOut) return 'left out'
  if (signal.aborted) return 'interrupted'
  return lost === 0 && duplicated === 0 && complaints.length === 0 ? 'good' : 'NOT PROVEN'
}

async function tryOut(fault: Fault, engine: Engine, wish: FaultRequest): Promise<Outcome> {
  const { form, seed, signal } = wish
  const postgres = engine === 'PostgreSQL' ? await startPostgres(process.env.CI !== undefined) : null
  if (engine === 'PostgreSQL' && !postgres) return leftOut('PostgreSQL is not installed here')
  const end = atTheEnd(() => postgres?.stop())
  try {
    return await fault.prove({
      engine,
      form,
      cycles: (short, full, quick = short) => ({ quick, short, full })[form],
      random: randomFrom(`${seed} ${fault.name} ${engine}`),
      createDatabase: async () => (postgres ? await createTestDatabase(postgres.url) : null),
      postgres,
      tell: text => wish.tell(`${fault.name} on ${engine}: ${text}`),
      signal,
    })
  } finally {
    end()
  }
}

function failed(error: unknown): Outcome {
  const complaint = error instanceof Error ? error.message : String(error)
  return { cycles: 0, acknowledged: 0, lost: 0, duplicated: 0, complaints: [complaint] }
}

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: string): () => number {
  let state = [...seed].reduce((sum, email) => Math.imul(sum, 31) + email.charCodeAt(0), 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
