/** Milliseconds; far longer than anything here takes: on a busy machine a test is slow, not wrong. */
export const TIMEOUT = 60_000

/** Polls until `isSo` returns true. @throws after the timeout */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
