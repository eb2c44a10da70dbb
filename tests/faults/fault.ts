import type { PrivatePostgres } from '../../scripts/postgres.ts'

export const engines = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof engines)[number]

/** `quick` is a part of every test run, `short` what a person waits for, `full` what is promised to operators. */
export type Form = 'quick' | 'short' | 'full'

/**
 * Milliseconds after which what has not happened counts as never happening. It is long, because a machine that is busy
 * with other things is no fault of the product.
 */
export const FAULT_TIMEOUT = 120_000
/** Milliseconds that pass between two looks at most, or this process stood still. */
const MAX_LOOK = 5000

/** One thing that goes wrong, and what must then be seen. */
export interface Fault {
  /** As in the list of faults: F1, F2 … */
  readonly name: string
  readonly title: string
  readonly engines: readonly Engine[]
  readonly prove: (run: FaultRun) => Promise<Outcome>
}

/** What a fault has to work with. */
export interface FaultRun {
  readonly engine: Engine
  readonly form: Form
  /** How often, by the form; the quick one does as much as the short one unless it is told otherwise. */
  cycles(short: number, full: number, quick?: number): number
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
  /** Why it could not be tried here. */
  readonly leftOut?: string
}

/** The outcome of what cannot be tried on this machine. */
export function leftOut(reason: string): Outcome {
  return { cycles: 0, acknowledged: 0, lost: 0, duplicated: 0, complaints: [], leftOut: reason }
}

/**
 * How long a promise of `limit` milliseconds may take here, where work that nothing disturbs took `usual`: a machine
 * that is busy with other things makes both longer.
 */
export function allow(limit: number, usual: number): number {
  return limit + 20 * usual
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** Waits for something that happens by itself. @returns whether it did in time. */
export async function happens(
  isSo: () => boolean | Promise<boolean>,
  timeout = FAULT_TIMEOUT,
  signal?: AbortSignal,
): Promise<boolean> {
  const waited = countTime()
  while (waited() < timeout && !signal?.aborted) {
    if (await isSo()) return true
    await pause(20)
  }
  return await isSo()
}

/** Waits for work that goes on by itself, as long as it gets on. @returns how much of it is left. */
export async function goesOn(left: () => number | Promise<number>, signal: AbortSignal): Promise<number> {
  let least = await left()
  let waited = countTime()
  while (least > 0 && waited() < FAULT_TIMEOUT && !signal.aborted) {
    await pause(100)
    const now = await left()
    if (now < least) waited = countTime()
    least = now
  }
  return least
}

/**
 * Counts milliseconds in which this process could look. While it starts or removes a database, relays of the other
 * engine that are part of it stand still too, and that is nobody's fault.
 */
function countTime(): () => number {
  let looked = performance.now()
  let counted = 0
  return () => {
    const now = performance.now()
    counted += Math.min(now - looked, MAX_LOOK)
    looked = now
    return counted
  }
}
