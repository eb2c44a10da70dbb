import { startPostgres } from '../../scripts/postgres.ts'
import { createTestDatabase } from '../support/database.ts'
import { randomFrom } from '../support/random.ts'
import { type Engine, type Fault, type Form, type Outcome, skipped } from './fault.ts'
import { onExit } from './on-exit.ts'

export interface FaultRequest {
  readonly faults: readonly Fault[]
  readonly engines: readonly Engine[]
  readonly form: Form
  readonly seed: string
  readonly signal: AbortSignal
  /** Called often, with the progress. */
  readonly showProgress: (text: string) => void
  /** Called with each result. */
  readonly recordResult: (result: FaultResult) => void
}

/** The result of one fault on one engine. */
export interface FaultResult {
  readonly fault: Fault
  readonly engine: Engine
  readonly outcome: Outcome
  readonly seconds: number
  /** `interrupted` means that nothing is known. */
  readonly verdict: 'passed' | 'FAILED' | 'skipped' | 'interrupted'
}

/** Runs every fault on each of its engines. The engines run concurrently, since both mostly wait. */
export async function runFaults(request: FaultRequest): Promise<void> {
  await Promise.all(request.engines.map(engine => runOnEngine(engine, request)))
}

/** Two at a time in the check, which has little time, and otherwise one after the other. */
async function runOnEngine(engine: Engine, request: FaultRequest) {
  const waiting = request.faults.filter(({ engines }) => engines.includes(engine))
  async function work() {
    for (let fault = waiting.shift(); fault && !request.signal.aborted; fault = waiting.shift())
      await runFault(fault, engine, request)
  }
  await Promise.all(request.form === 'quick' ? [work(), work()] : [work()])
}

async function runFault(fault: Fault, engine: Engine, request: FaultRequest) {
  const start = performance.now()
  const outcome = await execute(fault, engine, request).catch(failed)
  const seconds = (performance.now() - start) / 1000
  request.recordResult({ fault, engine, outcome, seconds, verdict: verdictOf(outcome, request.signal) })
}

function verdictOf(
  { lost, duplicated, failures, skipped }: Outcome,
  signal: AbortSignal,
): FaultResult['verdict'] {
  if (skipped) return 'skipped'
  if (signal.aborted) return 'interrupted'
  return lost === 0 && duplicated === 0 && failures.length === 0 ? 'passed' : 'FAILED'
}

async function execute(fault: Fault, engine: Engine, request: FaultRequest): Promise<Outcome> {
  const { form, seed, signal } = request
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : null
  if (engine === 'PostgreSQL' && !postgres) return skipped('PostgreSQL is not installed here')
  const end = onExit(() => postgres?.stop())
  try {
    return await fault.execute({
      engine,
      form,
      cycles: (short, full, quick = short) => ({ quick, short, full })[form],
      random: randomFrom(`${seed} ${fault.name} ${engine}`),
      createDatabase: async () => (postgres ? await createTestDatabase(postgres.url) : null),
      postgres,
      showProgress: text => request.showProgress(`${fault.name} on ${engine}: ${text}`),
      signal,
    })
  } finally {
    end()
  }
}

function failed(error: unknown): Outcome {
  const failure = error instanceof Error ? error.message : String(error)
  return { cycles: 0, acknowledged: 0, lost: 0, duplicated: 0, failures: [failure] }
}
