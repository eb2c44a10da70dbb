import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Target } from './hostile-target.ts'

/** Milliseconds between two requests of those who wait. */
const PAUSE = 5
/** Milliseconds: nobody waits longer, unless they do without the attack, too. */
export const MAX_WAIT = 50
/** Multiple of the longest wait in the same run without the attack: other programs on the machine also take their time. */
const MAX_TIMES = 3
/** Milliseconds: the probe writes what it has measured four times a second. */
const PROBE_DELAY = 300

export interface Watched {
  /** Milliseconds of the longest wait of somebody else. */
  readonly wait: number
  /** Milliseconds of processor time for which the event loop was held at the longest. */
  readonly held: number
  /** Megabytes more than before, at the most. */
  readonly memory: number
}

/** Other programs on the machine can make others wait and work slower, and never the opposite. */
const ATTEMPTS = 5

let visitors = 0

/**
 * What others notice of some work: one after the other reads a page from memory and makes a call. Work in which somebody
 * waits too long is done again: the attempt with the shortest of the longest waits counts, and that with the shortest hold.
 */
export async function watchOthers(target: Target, work: () => Promise<unknown>): Promise<Watched> {
  let watched = await watchOnce(target, work)
  for (let attempt = 1; attempt < ATTEMPTS && Math.max(watched.wait, watched.held) > MAX_WAIT; attempt++) {
    const again = await watchOnce(target, work)
    watched = {
      wait: Math.min(watched.wait, again.wait),
      held: Math.min(watched.held, again.held),
      memory: Math.max(watched.memory, again.memory),
    }
  }
  return watched
}

async function watchOnce(target: Target, work: () => Promise<unknown>): Promise<Watched> {
  await sleep(PROBE_DELAY)
  target.readHeld()
  const before = target.memory()
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, target.memory())
  }, 10)
  // In a thread of its own: this one is busy with what the work gets back.
  const others = new Worker(new URL(import.meta.url), { workerData: target.url })
  await once(others, 'message')
  await work()
  others.postMessage('stop')
  const [wait] = await once(others, 'message')
  clearInterval(looking)
  await sleep(PROBE_DELAY)
  return { wait, held: target.readHeld(), memory: Math.max(most, target.memory()) - before }
}

if (!isMainThread && typeof workerData === 'string') await waitAtTheSite(workerData)

/** One visitor after the other, until the other thread says stop. Then it gets the longest wait, in milliseconds. */
async function waitAtTheSite(url: string) {
  let [isOver, wait] = [false, 0]
  parentPort?.once('message', () => {
    isOver = true
  })
  async function visit(path: string) {
    const start = performance.now()
    await (await fetch(`${url}${path}`, { headers: newVisitor() })).arrayBuffer()
    return performance.now() - start
  }
  const paths = ['/contact', '/api/csrf-token']
  // The first requests load what fetch needs.
  await Promise.all(paths.map(visit))
  parentPort?.postMessage('ready')
  const visits = paths.map(async path => {
    while (!isOver) {
      wait = Math.max(wait, await visit(path))
      await sleep(PAUSE)
    }
  })
  await Promise.all(visits)
  parentPort?.postMessage(wait)
}

/** Each has an address of its own: somebody who asks for much queues behind the others. */
function newVisitor() {
  visitors++
  return { 'x-forwarded-for': `10.7.${(visitors >> 8) & 255}.${visitors & 255}` }
}

/** @param reference the same with something small */
export const mostWait = (reference: Watched) => Math.max(MAX_WAIT, MAX_TIMES * reference.wait)
