/** Waits up to five seconds for something that happens by itself. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It never came true: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
