import { databaseKilled, forgetfulDatabase, processKilled } from './crashes.ts'
import type { Fault } from './fault.ts'

/** Every fault that is tried, in the order in which they are. */
export const faults: readonly Fault[] = [processKilled, databaseKilled, forgetfulDatabase]
