/** @returns milliseconds */
export async function timed(work: () => Promise<unknown> | undefined): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** How often a value of one group is below one of the other: 0.5 when they are alike, 1 when a limit separates them. */
export function auc(one: readonly number[] = [], other: readonly number[] = []): number {
  const below = one.flatMap(a => other.filter(b => a < b))
  return below.length / (one.length * other.length)
}
