import { otherClocks } from '../../database/shared-clock.ts'
import type { Database } from '../../database/tables.ts'
import { describeError } from '../../log/logger.ts'
import { days, hours, MAX_CLOCK_SKEW, minutes } from '../../platform/clock.ts'
import { deleteExpiredData, type Needed, readMark, writeMark } from './retention.server.ts'

/** Of the time of the last run. */
const LAST_RUN = 'retention_last_run'
/** Once a day; less an hour, because the job starts every hour. */
const EVERY = hours(23)
/** Milliseconds. After a longer break the clock may have jumped, or the server was switched off. */
const MAX_BREAK = days(7)
/** So long a doubtful clock must go at its normal pace, while somebody can read the warning. */
const WATCH_FOR = days(1)
/** Milliseconds by which the clock may leave that pace, or differ from the clock of PostgreSQL. */
const MAX_DRIFT = minutes(5)

/**
 * Creates the job that applies the retention periods once a day. What it deletes is gone for ever, so it deletes nothing
 * while the clock may be wrong: decision 062.
 * @returns the job, to be started every hour; it never fails
 */
export function createRetention(services: Needed, { uptime, readDatabaseTime } = otherClocks) {
  const { db, clock, log } = services
  let ranAt: number | null = null
  let watched = { from: clock().getTime(), uptime: uptime() }
  let lastDoubt: string | null = null

  /** How far the clock has moved beside the uptime. Forgets what was watched when it has jumped. */
  function hasKeptPace(now: Date): boolean {
    const passed = uptime() - watched.uptime
    if (Math.abs(now.getTime() - watched.from - passed) <= MAX_DRIFT) return passed >= WATCH_FOR
    watched = { from: now.getTime(), uptime: uptime() }
    return false
  }

  /** Why the clock may be wrong; null when nothing says so. */
  async function findDoubt(now: Date): Promise<string | null> {
    const isWatched = hasKeptPace(now)
    const databaseTime = await readDatabaseTime(db)
    if (databaseTime && Math.abs(databaseTime.getTime() - now.getTime()) > MAX_DRIFT)
      return 'It differs from the clock of the database by more than five minutes.'
    const mark = await readMark(db, LAST_RUN)
    const lastRun = mark === undefined ? null : new Date(mark)
    if (isWatched || (lastRun === null && (await isEmpty(db)))) return null
    if (lastRun === null) return 'The time of the last run is not known.'
    const passed = now.getTime() - lastRun.getTime()
    if (passed < -MAX_CLOCK_SKEW) return `The last run was later, at ${lastRun.toISOString()}.`
    return passed <= MAX_BREAK ? null : `The last run was long ago, at ${lastRun.toISOString()}.`
  }

  function warn(doubt: string, now: Date) {
    if (doubt !== lastDoubt)
      log(
        'warning',
        'API',
        'Nothing is deleted at the end of its retention period, because the clock of this server may be wrong. Compare it with the right time. If it is right, do nothing: deletion begins again once the server has run for a day.',
        { reason: doubt, clock: now.toISOString() },
      )
    lastDoubt = doubt
  }

  return async (isStopped: () => boolean = () => false): Promise<void> => {
    try {
      const now = clock()
      const doubt = await findDoubt(now)
      if (doubt !== null) return warn(doubt, now)
      lastDoubt = null
      if (ranAt !== null && uptime() - ranAt < EVERY) return
      ranAt = uptime()
      await writeMark(db, LAST_RUN, now.toISOString(), now)
      // By the time that was checked: the clock may jump meanwhile.
      await deleteExpiredData({ ...services, clock: () => now }, isStopped)
    } catch (error) {
      log('error', 'API', 'Retention failed', describeError(error))
    }
  }
}

/** Whether there is no enquiry yet, as in a new installation. */
async function isEmpty(db: Database): Promise<boolean> {
  return (await db.selectFrom('messages').select('id').limit(1).executeTakeFirst()) === undefined
}
