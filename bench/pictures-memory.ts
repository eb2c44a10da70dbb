import { readFileSync } from 'node:fs'

/** Milliseconds between two looks; a process that encodes lives for some seconds. */
const LOOK = 20

/** Megabytes that a process held in memory at most so far; 0 once it has ended. */
export function peakMemory(pid: number): number {
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
