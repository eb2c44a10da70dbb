import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDatabase } from '../../src/database/open.ts'
import { createPostgresRateLimiter } from '../../src/http/limits/postgres-rate-limiter.ts'
import { createMemoryRateLimiter } from '../../src/http/limits/rate-limiter.ts'
import { minutes } from '../../src/platform/clock.ts'
import { createTestDatabase, dropTestDatabase } from './database.ts'

export const THREE_A_MINUTE = { name: 'three a minute', count: 3, per: minutes(1) }
export const ONE_A_MINUTE = { name: 'one a minute', count: 1, per: minutes(1) }

export const refused = { status: 429, message: 'Too many requests. Please wait a little and try again.' }

/** Limits in PostgreSQL when there is one, else in memory, until the tests of the file have ended. */
export async function openLimitStore() {
  const databaseUrl = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-limits-'))
  const db = await openDatabase({ dataDir, databaseUrl })
  const shared = databaseUrl ? db : null
  after(async () => {
    await db.destroy()
    await rm(dataDir, { recursive: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })

  let strangers = 0

  /** In PostgreSQL when there is one, else in memory, with somebody who has never come before. */
  function openLimits() {
    let now = Date.parse('2026-07-01T00:00:00Z')
    const clock = () => new Date(now)
    const limits = shared ? createPostgresRateLimiter(shared, clock) : createMemoryRateLimiter(clock)
    const wait = (milliseconds: number) => {
      now += milliseconds
    }
    const somebody = `somebody ${++strangers}`
    const spend = async (key = somebody, limit = THREE_A_MINUTE) => await limits.consume(limit, key)
    return { limits, clock, wait, spend, somebody }
  }

  return { db, shared, openLimits }
}
