/** Milliseconds; far longer than anything here takes on an idle machine. */
const TIMEOUT = 15_000

/** Polls until `isSo` returns true. @throws after the timeout */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
