import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { startPeriodicJob } from '../jobs/periodic-job.ts'
import { recordChange } from '../live/record-change.server.ts'
import { describeError, type Log } from '../log/logger.ts'
import { type Clock, isoAfter, minutes, seconds } from '../platform/clock.ts'
import { FileGone, streamBlob } from './store.server.ts'

/** The scanner of `CLAMD_URL`: it reads each file once, and locks those in which it finds something. */

const SCANS_EVERY = seconds(5)
/** It reads 25 MB in seconds. Longer than its `MaxScanTime` in docs/operations.md, so that it gives up first and says so. */
const TIMEOUT = minutes(1)
/** Files that are looked for at a time. */
const AT_ONCE = 10

/** It has read a file and says that it cannot scan it: it would say so again. */
class NotScanned extends Error {}

/**
 * Asks clamd by `INSTREAM`: https://docs.clamav.net/manual/Usage/Scanning.html#clamd
 * @param url `tcp://host:port` or `unix:/path` @returns the name of what it found; null for nothing
 */
export async function scan(
  url: string,
  body: ReadableStream<Uint8Array>,
  stopping?: AbortSignal,
): Promise<string | null> {
  const reading: { error?: unknown } = {}
  async function* inStream() {
    yield Buffer.from('zINSTREAM\0')
    try {
      for await (const chunk of body) {
        const length = Buffer.alloc(4)
        length.writeUInt32BE(chunk.length)
        yield Buffer.concat([length, chunk])
      }
    } catch (error) {
      reading.error = error
      throw error
    }
    yield Buffer.alloc(4)
  }
  try {
    return readAnswer(await ask(url, inStream(), stopping))
  } catch (error) {
    throw reading.error ?? error
  }
}

/** Writes a command and reads the answer. What ends the writing early is said by the answer, or by the lack of one. */
async function ask(url: string, command: AsyncIterable<Uint8Array>, stopping?: AbortSignal): Promise<string> {
  const { protocol, hostname, port, pathname } = new URL(url)
  const socket = connect(protocol === 'unix:' ? { path: pathname } : { host: hostname, port: Number(port) })
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(stopping ? [stopping] : [])])
  const end = () => socket.destroy(new Error('The scanner does not answer'))
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const answer = text(socket)
  answer.catch(() => {})
  try {
    await pipeline(command, socket, { end: false }).catch(error => {
      if (error instanceof FileGone) end()
    })
    return await answer
  } finally {
    signal.removeEventListener('abort', end)
    socket.destroy()
  }
}

/** Whether it works, so that the file is at fault if it has no answer to that. */
async function isWorking(url: string, stopping: AbortSignal): Promise<boolean> {
  const ping = (async function* () {
    yield Buffer.from('zPING\0')
  })()
  return await ask(url, ping, stopping).then(
    answer => answer.startsWith('PONG'),
    () => false,
  )
}

/** @throws {NotScanned} @throws {Error} without one */
function readAnswer(answer: string): string | null {
  const said = answer.replace(/\0.*$/s, '').trim()
  if (said === '') throw new Error('The scanner does not answer')
  if (said === 'stream: OK') return null
  const [, found] = /^stream: (.+) FOUND$/.exec(said) ?? []
  if (found === undefined) throw new NotScanned(`The scanner said: ${said.slice(0, 200)}`)
  return found.slice(0, 200)
}

interface Scanning {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** As of `scan`. */
  readonly url: string
}

/** Scans what has come since the last time, the newest first. */
export function startScanning(scanning: Scanning) {
  const { log } = scanning
  /** What it cannot scan, until the next start. */
  const passedOver = new Set<string>()
  const stopping = new AbortController()
  let isFailing = false
  const job = startPeriodicJob(SCANS_EVERY, async isStopped => {
    try {
      for (let isMore = true; isMore; ) {
        isMore = false
        for (const blob of await listUnscanned(scanning.db, [...passedOver])) {
          if (isStopped()) return
          if (await scanBlob(scanning, blob, passedOver, stopping.signal)) isMore = true
        }
      }
      isFailing = false
    } catch (error) {
      // Once, and not every five seconds.
      if (!isFailing && !isStopped()) log('error', 'API', 'Files cannot be scanned', describeError(error))
      isFailing = true
    }
  })
  return {
    ...job,
    /** Whatever it reads at that moment is read again after the next start. */
    async stop() {
      stopping.abort()
      await job.stop()
    },
  }
}

async function listUnscanned(db: Database, passedOver: readonly string[]) {
  return await db
    .selectFrom('blobs')
    .select(['sha256', 'size'])
    .where('scanned_at', 'is', null)
    // Not one of which something is missing.
    .where(eb => eb.or([eb('hash', 'is not', null), eb('sha256', 'not like', '%-%')]))
    .$if(passedOver.length > 0, query => query.where('sha256', 'not in', passedOver))
    .orderBy('created_at', 'desc')
    .limit(AT_ONCE)
    .execute()
}

/** @returns whether it is done with, so that another one is next */
async function scanBlob(
  { db, clock, log, url }: Scanning,
  blob: { readonly sha256: string; readonly size: number },
  passedOver: Set<string>,
  stopping: AbortSignal,
): Promise<boolean> {
  try {
    await recordScan({ db, clock, log }, blob.sha256, await scan(url, streamBlob(db, blob), stopping))
    return true
  } catch (error) {
    // It was deleted meanwhile. When the same bytes come again, they are scanned.
    if (error instanceof FileGone) return false
    const isAnswer = error instanceof NotScanned
    if (!isAnswer && (stopping.aborted || !(await isWorking(url, stopping)))) throw error
    passedOver.add(blob.sha256)
    log('warning', 'API', 'A file was not scanned', { ...describeError(error), size: blob.size })
    return true
  }
}

async function recordScan(
  { db, clock, log }: Pick<Scanning, 'db' | 'clock' | 'log'>,
  sha256: string,
  found: string | null,
) {
  await inTransaction(db, async transaction => {
    const scanned = transaction.updateTable('blobs').set({ scanned_at: isoAfter(clock), found })
    await scanned.where('sha256', '=', sha256).execute()
    const files = transaction
      .selectFrom('attachments')
      .select(['id', 'message_id'])
      .where('sha256', '=', sha256)
    // Who looks at them sees that they are locked, or were scanned.
    for (const { id, message_id: messageId } of await files.execute()) {
      recordChange(transaction, clock, messageId)
      if (found !== null) log('warning', 'API', 'A file was locked', { messageId, attachmentId: id, found })
    }
  })
}
