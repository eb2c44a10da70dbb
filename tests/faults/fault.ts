import type { PrivatePostgres } from '../../scripts/postgres.ts'

export const engines = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof engines)[number]

/** `quick` is part of every test run, `short` is for a developer who waits, `full` is what operators are promised. */
export type Form = 'quick' | 'short' | 'full'

/**
 * Milliseconds. Long, so that a busy machine does not count as a fault of the product.
 */
export const FAULT_TIMEOUT = 120_000
/** Milliseconds between two polls. When more pass, this process was blocked. */
const MAX_POLL_GAP = 5000

/** One thing that goes wrong, and a check of what the product must do then. */
export interface Fault {
  /** As in the list of faults: F1, F2 … */
  readonly name: string
  readonly title: string
  readonly engines: readonly Engine[]
  readonly execute: (run: FaultRun) => Promise<Outcome>
}

/** What a fault run needs. */
export interface FaultRun {
  readonly engine: Engine
  readonly form: Form
  /** The number of cycles for this form; `quick` defaults to `short`. */
  cycles(short: number, full: number, quick?: number): number
  /** The next number of the seed, from 0 up to 1. */
  random(): number
  /** Creates an empty database of this engine. @returns its URL, or null for SQLite. */
  createDatabase(): Promise<string | null>
  readonly postgres: PrivatePostgres | null
  /** Shows progress, when there is a terminal. */
  showProgress(text: string): void
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
}

export interface Outcome {
  readonly cycles: number
  readonly acknowledged: number
  readonly lost: number
  readonly duplicated: number
  /** Expectations that were not met. */
  readonly failures: readonly string[]
  /** Figures to print. */
  readonly remark?: string
  /** Why it could not run here. */
  readonly skipped?: string
}

/** The outcome of a fault that cannot run on this machine. */
export function skipped(reason: string): Outcome {
  return { cycles: 0, acknowledged: 0, lost: 0, duplicated: 0, failures: [], skipped: reason }
}

/**
 * Milliseconds that something limited to `limit` may take here, where undisturbed work took `usual`: a busy machine
 * makes both longer.
 */
export function allowedTime(limit: number, usual: number): number {
  return limit + 20 * usual
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** Polls until `isSo` returns true. @returns whether it did in time. */
export async function waitUntil(
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

/** Polls until `left` is 0; the timeout starts again whenever it falls. @returns how much is left. */
export async function waitForZero(
  left: () => number | Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let remaining = await left()
  let waited = countTime()
  while (remaining > 0 && waited() < FAULT_TIMEOUT && !signal.aborted) {
    await pause(100)
    const now = await left()
    if (now < remaining) waited = countTime()
    remaining = now
  }
  return remaining
}

/**
 * Counts the milliseconds in which this process was not blocked. While it starts or removes a database, the relays of
 * the other engine in this process are blocked too.
 */
function countTime(): () => number {
  let lastPoll = performance.now()
  let counted = 0
  return () => {
    const now = performance.now()
    counted += Math.min(now - lastPoll, MAX_POLL_GAP)
    lastPoll = now
    return counted
  }
}
