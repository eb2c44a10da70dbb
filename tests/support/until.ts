/** Milliseconds; far more than anything here takes on a machine at rest. */
const TIMEOUT = 15_000

/** Waits for something that happens by itself. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It never came true: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
