import type { Engine } from '../faults/fault.ts'

/** One defence, how to take it away, and what must notice. */
export type Mutation = TestMutation | FaultMutation

interface Removal {
  /** What then no longer holds. */
  readonly name: string
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly text: string
  readonly instead: string
}

/** A defence whose removal a test of the product detects. */
export interface TestMutation extends Removal {
  /** The file whose tests must then fail. */
  readonly test: string
  /** A part of the names of those that are run; without it, all of the file. */
  readonly named?: string
  /** Only PostgreSQL needs this defence. */
  readonly onPostgres?: true
}

/** A defence whose removal a fault run detects. */
export interface FaultMutation extends Removal {
  /** The id of the fault. */
  readonly fault: string
  readonly engine: Engine
  /** Runs in the full form, because the short form may miss it. */
  readonly isRare?: boolean
  /** Matches the line with which the fault run must fail. Another failure says nothing about this defence. */
  readonly seen: RegExp
}

export interface MutationOptions {
  /** Undefined where PostgreSQL is not installed. */
  readonly databaseUrl: string | undefined
  /** Of the fault runs. */
  readonly seed: string
  readonly signal: AbortSignal
}

/** What became of one removal. */
export interface Detection {
  readonly isDetected: boolean
  readonly remark: string
}
