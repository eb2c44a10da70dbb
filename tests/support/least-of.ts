/**
 * The least of several measurements: other work on the machine, or the garbage of other tests, makes one larger and never
 * smaller. Once one is below `enough`, no more are taken.
 */
export async function leastOf(
  count: number,
  enough: number,
  measure: (round: number) => Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < count && least >= enough; round++) least = Math.min(least, await measure(round))
  return least
}
