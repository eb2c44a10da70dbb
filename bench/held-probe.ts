import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server before its own code: writes how long its event loop was held at the longest, in milliseconds of
 * processor time of the main thread, to the file `HELD_FILE`. A clock would also count the time for which the system
 * let other threads and processes run.
 */
const TICK = 5
const WRITE_EVERY = 250
const { HELD_FILE } = process.env

if (isMainThread && HELD_FILE) {
  let before = mainThreadTime()
  let longest = 0
  // A timer that is due runs first in a turn of the loop, so no more than one turn lies between two ticks that are late.
  setInterval(() => {
    const now = mainThreadTime()
    longest = Math.max(longest, now - before)
    before = now
  }, TICK).unref()
  setInterval(() => {
    appendFileSync(HELD_FILE, `${longest.toFixed(1)}\n`)
    longest = 0
  }, WRITE_EVERY).unref()
}

function mainThreadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
