import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/tables.ts'
import { describeError, type Log } from '../log/logger.ts'
import { seconds } from '../platform/clock.ts'
import type { Keys } from '../platform/keys.ts'
import { findErased, hashErased, ID } from './erased-list.ts'
import { inBatches } from './in-pages.ts'

/** Milliseconds: longer than an email that was on its way at the deletion can still take to arrive. */
const LATE = seconds(12)
/** Files that are looked at before others have their turn. */
const AT_ONCE = 100

interface Dependencies {
  readonly db: Database
  readonly keys: Keys['erased']
  readonly log: Log
}

/** Removes from the local mailbox the emails about messages that are on the list of what was erased. */
export function createMailboxSweep(folder: string, { db, keys, log }: Dependencies) {
  let inFlight: Promise<void> | null = null
  let isWanted = false
  let late: NodeJS.Timeout | null = null

  async function sweep(): Promise<number> {
    let count = 0
    const names = await readdir(folder).catch(() => [])
    for (const some of inBatches(names, AT_ONCE)) count += await sweepSome(some)
    return count
  }

  async function sweepSome(names: readonly string[]): Promise<number> {
    const hashed = names.map(name => ({ name, hashes: hashesIn(name, keys) }))
    const erased = await findErased(
      db,
      hashed.flatMap(({ hashes }) => hashes),
    )
    const found = hashed.filter(({ hashes }) => hashes.some(hash => erased.has(hash)))
    for (const { name } of found) await rm(join(folder, name), { force: true })
    return found.length
  }

  async function run(): Promise<number> {
    return await sweep().catch(error => {
      log('warning', 'EmailService', 'The local mailbox could not be cleared', describeError(error))
      return 0
    })
  }

  function runSoon() {
    isWanted = true
    inFlight ??= runWhileWanted().finally(() => {
      inFlight = null
    })
  }

  /** One at a time, whatever number of deletions there are. */
  async function runWhileWanted() {
    while (isWanted) {
      isWanted = false
      await run()
    }
  }

  return {
    /** Now. @returns how many files went. Never fails. */
    run,
    /** Soon, and once more for what comes late. */
    request() {
      runSoon()
      if (late) clearTimeout(late)
      late = setTimeout(runSoon, LATE).unref()
    },
    async stop() {
      if (late) clearTimeout(late)
      await inFlight
    },
  }
}

/** Files are named after the email, and some after the message that it is about as well. */
function hashesIn(name: string, keys: Keys['erased']): string[] {
  const ids = name.match(ID) ?? []
  const kinds = ['email', 'message', 'expired'] as const
  return ids.flatMap(id => keys.flatMap(key => kinds.map(kind => hashErased(key, kind, id))))
}
