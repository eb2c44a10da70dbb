import type { ChildProcess } from 'node:child_process'
import { seconds } from '../platform/clock.ts'

/** Milliseconds for which one request holds up a picture. What takes longer waits for something else than the processor. */
const MAX_HOLD = 100
/** Milliseconds for which one picture is held up in all, so that it ends on a busy server too. */
const MAX_PAUSE = seconds(15)

export type Throttle = ReturnType<typeof createThrottle>

/** Stops a process while requests are answered: where both share a processor, each request would take twice as long. */
export function createThrottle() {
  const requests = new Set<object>()
  let process: ReturnType<typeof pausable> | null = null

  function end(request: object) {
    requests.delete(request)
    if (requests.size === 0) process?.resume()
  }

  async function hold<T>(answer: () => T): Promise<Awaited<T>> {
    const request = {}
    requests.add(request)
    process?.pause()
    const timer = setTimeout(end, MAX_HOLD, request)
    try {
      return await answer()
    } finally {
      clearTimeout(timer)
      end(request)
    }
  }

  return {
    /** Stops the process, if it runs, until this request is answered. */
    whileAnswering: <T>(answer: () => T): T | Promise<Awaited<T>> => (process ? hold(answer) : answer()),
    /** @returns what to call when the process has ended */
    watch(child: Pick<ChildProcess, 'kill'>) {
      const watched = pausable(child)
      process = watched
      return () => {
        if (process === watched) process = null
      }
    },
  }
}

function pausable(child: Pick<ChildProcess, 'kill'>) {
  let left = MAX_PAUSE
  let since: number | null = null
  let timer: NodeJS.Timeout | undefined

  function resume() {
    if (since === null) return
    clearTimeout(timer)
    left -= performance.now() - since
    since = null
    child.kill('SIGCONT')
  }

  return {
    pause() {
      if (since !== null || left <= 0) return
      since = performance.now()
      // Where one request always begins before another ends.
      timer = setTimeout(resume, left)
      child.kill('SIGSTOP')
    },
    resume,
  }
}
