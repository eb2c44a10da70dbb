/**
 * Runs work and returns the longest time for which it held the event loop, in milliseconds of this thread's CPU time: on a
 * busy machine the thread also waits for a processor, which is nobody's fault.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let before = process.threadCpuUsage()
  function turn() {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(turn)
  }
  turn()
  await work()
  isOver = true
  await new Promise(resolve => setImmediate(resolve))
  return longest
}
