import { readFileSync } from 'node:fs'
import { beginVisits, quantile, type Visits } from './hostile-visits.ts'
import type { Measured } from './process.ts'

/** What visitors and the memory of a server notice while something is done. */
export interface Phase {
  readonly visits: Visits
  /** Megabytes at most. */
  readonly memory: number
}

export async function visitDuring(server: Measured, work: () => Promise<unknown>): Promise<Phase> {
  const visits = beginVisits(server.url, '/')
  await work()
  return { visits: await visits.stop(), memory: peakMemory(server.pid) }
}

/** Milliseconds within which 95 of 100 were answered. */
export const p95 = ({ visits }: Phase, kind: 'page' | 'enquiry') => quantile(visits[kind], 0.95)

/** Milliseconds between two looks; a process that encodes lives for some seconds. */
const LOOK = 20

/** Megabytes that a process held in memory at most so far; 0 once it has ended. */
function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Looks at the children of a process. */
export function watchChildren(pid: number): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
    for (const child of children) most = Math.max(most, peakMemory(Number(child)))
  }, LOOK)
  return {
    /** @returns the megabytes that one of them held at most */
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
