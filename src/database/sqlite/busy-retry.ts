import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../../clock.ts'

/** Another process, a backup or a console command, may write for this long before we give up. */
const BUSY_TIMEOUT = seconds(5)
const RETRY_DELAY = seconds(0.005)
const SQLITE_BUSY = 5

/** Waits for another process that is writing; SQLite's own way to wait would stop everything else here meanwhile. */
export async function withBusyRetry<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(RETRY_DELAY)
    }
  }
}

/** The low byte is the result code, the rest says more of it. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0
  return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY
}
