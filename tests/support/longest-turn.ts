import { slowness, threadTime } from './processor-time.ts'

/**
 * Runs work and returns the longest time for which it held the event loop, in milliseconds of this thread's processor time
 * as on a machine at rest: on a busy one the thread also waits for a processor, and is slower itself.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const slow = slowness()
  let longest = 0
  let isOver = false
  let before = threadTime()
  function turn() {
    const now = threadTime()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  turn()
  try {
    await work()
  } finally {
    // Or a test whose work fails would never end.
    isOver = true
  }
  await new Promise(resolve => setImmediate(resolve))
  return longest / Math.max(slow, slowness())
}
