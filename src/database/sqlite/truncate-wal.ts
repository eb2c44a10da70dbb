import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { startPeriodicJob } from '../../jobs/periodic-job.ts'
import { describeError, type Log } from '../../log/logger.ts'
import { seconds } from '../../platform/clock.ts'

/** A deleted text is out of the file and its log two rounds later at most, and a burst of deletions costs one of them. */
const INTERVAL = seconds(5)
/** Attempts in a row that a full disk, or another process such as a backup, may prevent before it is logged: two minutes. */
const MANY_ROUNDS = 24

/**
 * A thread's work, because emptying the log waits for the disk: it moves the log's pages into the database and cuts the
 * log to nothing. Nobody who writes waits for it longer than that takes, and while somebody reads an older state it only
 * reports that it was busy.
 */
const WORK = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
const db = new DatabaseSync(workerData.file)
db.exec('pragma busy_timeout = 0')
const checkpoint = mode => db.prepare('pragma wal_checkpoint(' + mode + ')').get().busy
let busy = 1
for (let tries = 0; busy !== 0 && tries < 40; tries++) {
  if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  // Most of the work, while others write.
  checkpoint('passive')
  busy = checkpoint('truncate')
}
db.close()
parentPort.postMessage(busy)
`

/**
 * Empties SQLite's write-ahead log again and again: it keeps earlier states of a page, and so what was deleted, until it
 * happens to be overwritten. It looks at the file, so that changes of other processes, and of one that was killed, count
 * as well. Never fails.
 */
export function startWalTruncation(file: string, log: Log) {
  let failedRounds = 0
  return startPeriodicJob(INTERVAL, async () => {
    const error = await truncateIfNeeded(file)
    failedRounds = error === null ? 0 : failedRounds + 1
    if (failedRounds === MANY_ROUNDS)
      log('warning', 'API', 'Deleted text stays in the write-ahead log of the database', { error })
  })
}

/** @returns why it could not be emptied; null when it is empty. */
async function truncateIfNeeded(file: string): Promise<string | null> {
  try {
    const isEmpty = (await sizeOf(`${file}-wal`)) === 0 || (await truncateWal(file))
    return isEmpty ? null : 'Another program keeps reading'
  } catch (error) {
    return describeError(error).error
  }
}

/** @returns whether nothing is left in the log. */
export async function truncateWal(file: string): Promise<boolean> {
  const worker = new Worker(WORK, {
    eval: true,
    workerData: { file },
    // It needs next to nothing, whatever this process was given.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    execArgv: ['--no-warnings'],
  })
  return await new Promise((resolve, reject) => {
    worker.once('message', busy => resolve(busy === 0))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread ended without an answer')))
  })
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
