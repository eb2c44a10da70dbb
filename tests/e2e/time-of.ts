/**
 * Milliseconds that something takes. A limit is what the product waits for, and some of what opening a page takes in the same
 * test: on a busy machine, that grows as well.
 */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
