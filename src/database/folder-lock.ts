import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { ConfigError } from '../config.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import { isBusy } from './sqlite/group-commit.ts'

const LOCK = 'landfall.lock'
const HOLDER = 'landfall.lock.json'

const Holder = z.object({ pid: z.number(), host: z.string(), since: z.string() })

export type FolderLock = ReturnType<typeof lockFolder>

/**
 * Locks a data folder, because two servers on it would send every email twice. The lock is SQLite's own on an empty
 * database, which the system releases however the process ends, so a stale lock cannot remain. It lasts as long as the
 * returned object is referenced.
 * @throws {ConfigError} with the process that holds it
 */
export function lockFolder(dataDir: string, clock: Clock) {
  mkdirSync(dataDir, { recursive: true })
  const lock = acquire(dataDir)
  writeHolder(dataDir, { pid: process.pid, host: hostname(), since: isoAfter(clock) })
  return {
    release() {
      rmSync(join(dataDir, HOLDER), { force: true })
      if (lock.isOpen) lock.close()
    },
  }
}

function acquire(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, LOCK))
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new ConfigError(describeHolder(dataDir), { cause: error })
  }
}

/** Only for error messages, so a full disk must not stop the start. Renamed into place, so that readers never see half of it. */
function writeHolder(dataDir: string, holder: z.infer<typeof Holder>) {
  const part = join(dataDir, `${HOLDER}.${holder.pid}`)
  try {
    writeFileSync(part, JSON.stringify(holder))
    renameSync(part, join(dataDir, HOLDER))
  } catch {
    rmSync(part, { force: true })
  }
}

function describeHolder(dataDir: string): string {
  const holder = readHolder(dataDir)
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  return `Landfall already runs on DATA_DIR ${dataDir}: ${who}. Stop it first, or use PostgreSQL for several nodes.`
}

function readHolder(dataDir: string) {
  try {
    return Holder.parse(JSON.parse(readFileSync(join(dataDir, HOLDER), 'utf8')))
  } catch {
    return null
  }
}
