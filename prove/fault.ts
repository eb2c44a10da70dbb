import type { PrivatePostgres } from '../scripts/postgres.ts'

export const engines = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof engines)[number]

/** One thing that goes wrong, and what must then be seen. */
export interface Fault {
  /** As in the list of faults: F1, F2 … */
  readonly name: string
  readonly title: string
  readonly engines: readonly Engine[]
  readonly prove: (trial: Trial) => Promise<Outcome>
}

/** What a fault has to work with. */
export interface Trial {
  readonly engine: Engine
  /** How often, by which form is run. */
  cycles(short: number, full: number): number
  /** The next number of the seed, from 0 up to 1. */
  random(): number
  /** An empty database of the trial's engine: null for SQLite. */
  createDatabase(): Promise<string | null>
  readonly postgres: PrivatePostgres | null
  /** Shows how far it is. */
  tell(text: string): void
  /** Aborted when whoever watches has had enough. */
  readonly signal: AbortSignal
}

export interface Outcome {
  readonly cycles: number
  readonly acknowledged: number
  readonly lost: number
  readonly duplicated: number
  /** What was seen and must not be, and what was not seen and must be. */
  readonly complaints: readonly string[]
  /** Figures worth telling. */
  readonly remark?: string
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** Waits for something that happens by itself. @returns whether it did in time. */
export async function happens(isSo: () => boolean | Promise<boolean>, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    if (await isSo()) return true
    await pause(20)
  }
  return await isSo()
}
