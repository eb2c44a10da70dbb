/** Milliseconds that the reference takes on a machine at rest like those for which limits in milliseconds are written. */
const USUAL = 1.25
/** Times that the reference runs, so that one interruption does not matter. */
const RUNS = 20

const rows = Array.from({ length: 200 }, (_, at) => ({
  name: `Visitor ${at}`,
  text: 'May I come with my family? '.repeat(8),
}))

/** Always the same work, of the kinds that requests are made of. @returns something, so that it is not optimised away */
function reference(): number {
  const read: typeof rows = JSON.parse(JSON.stringify(rows))
  return read.map(({ text }) => text.toLowerCase().split(' ').sort().join(' ')).length
}

/** @returns milliseconds for which this thread has used a processor since its start; waiting for one does not count */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** @returns how many times as long as usual the reference takes here and now: other work on the machine slows this one too */
export function slowness(): number {
  const start = threadTime()
  for (let run = 0; run < RUNS; run++) reference()
  return Math.max(1, (threadTime() - start) / RUNS / USUAL)
}

/** @returns milliseconds of this thread's processor time for the work, as on a machine at rest */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = slowness()
  const start = threadTime()
  await work()
  const time = threadTime() - start
  return time / Math.max(before, slowness())
}

/** @returns milliseconds that the reference takes by the clock, so with waiting for a processor */
function timeOf(runs: number): number {
  const start = performance.now()
  for (let run = 0; run < runs; run++) reference()
  return (performance.now() - start) / runs
}

/**
 * Starts to measure by the clock. `passed` gives milliseconds; `passedAtRest` those of a machine at rest, for limits: it
 * divides by how much longer the reference takes at the start, at the end or on average, so that a busy machine is slow, not
 * wrong.
 */
export function stopwatch() {
  const before = timeOf(RUNS)
  const meanwhile: number[] = []
  const sampling = setInterval(() => meanwhile.push(timeOf(1)), 100).unref()
  const start = performance.now()
  const passed = () => performance.now() - start
  return {
    passed,
    passedAtRest() {
      clearInterval(sampling)
      const time = passed()
      const average = meanwhile.reduce((sum, each) => sum + each, 0) / (meanwhile.length || 1)
      return time / Math.max(1, before / USUAL, average / USUAL, timeOf(RUNS) / USUAL)
    },
  }
}
