import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Clock, isoAfter, minutes } from '../clock.ts'
import { prepare } from '../database/prepare.ts'
import type { Database, RateLimitRow } from '../database/tables.ts'
import { keyOf, type Limit, putNewest, type RateLimits, refuseFor } from './rate-limit.ts'

/** The clocks of two nodes may differ by this; a window that ends later still is from before a clock was set back. */
const CLOCKS_DIFFER = minutes(1)
/** Rows; a statement may take five seconds, and after an attack there may be millions. */
const BATCH = 5000

/**
 * Fixed windows in PostgreSQL, the same for all nodes: one statement for each spend. A node remembers in memory only
 * what it has seen used up, so that whoever floods it costs the database nothing more.
 */
export function sharedRateLimits(db: Database, clock: Clock): RateLimits {
  const usedUp = new Map<string, { endsAt: number; hasRefused: boolean }>()

  function note(key: string, endsAt: number) {
    const known = usedUp.get(key)
    const noted = known?.endsAt === endsAt ? known : { endsAt, hasRefused: false }
    putNewest(usedUp, key, noted)
    return noted
  }

  function refuse(
    limit: Limit,
    { endsAt, hasRefused }: { endsAt: number; hasRefused: boolean },
    key: string,
  ) {
    usedUp.set(key, { endsAt, hasRefused: true })
    refuseFor(limit, endsAt - clock().getTime(), !hasRefused)
  }

  /** @returns those of the limits that had nothing left, with what is known of them. */
  async function count(within: Database, limits: readonly Limit[], whom: string) {
    const { rows } = await insertOrCount(within, limits, whom, clock)
    return limits.flatMap(limit => {
      const row = rows.find(({ key }) => key === hashOf(limit, whom))
      if (!row || row.used < limit.count) return []
      const key = keyOf(limit, whom)
      const noted = note(key, Date.parse(row.ends_at))
      return row.used > limit.count ? [{ limit, noted, key }] : []
    })
  }

  async function spend(within: Database, limits: readonly Limit[], whom: string) {
    const [refused] = await count(within, limits, whom)
    if (refused) refuse(refused.limit, refused.noted, refused.key)
  }

  return {
    check(limit, whom) {
      const key = keyOf(limit, whom)
      const known = usedUp.get(key)
      const wait = (known?.endsAt ?? 0) - clock().getTime()
      if (known && wait > 0 && wait <= limit.per + CLOCKS_DIFFER) refuse(limit, known, key)
    },
    async spend(limit, whom) {
      await spend(db, [limit], whom)
    },
    async take(limit, whom) {
      return (await count(db, [limit], whom)).length === 0
    },
    async giveBack(limit, whom) {
      usedUp.delete(keyOf(limit, whom))
      await takeBack(db, clock, hashOf(limit, whom))
    },
    async spendWithin(transaction, limits, whom) {
      await spend(transaction, limits, whom)
      // What was taken ends with the transaction by itself.
      return () => {
        for (const limit of limits) usedUp.delete(keyOf(limit, whom))
      }
    },
  }
}

/** Removes the windows that are over. */
export async function forgetEndedWindows(db: Database, clock: Clock): Promise<void> {
  const ended = db
    .selectFrom('rate_limits')
    .select('key')
    .where('ends_at', '<=', isoAfter(clock))
    .limit(BATCH)
  let last = BATCH
  while (last === BATCH) {
    const { numDeletedRows } = await db.deleteFrom('rate_limits').where('key', 'in', ended).executeTakeFirst()
    last = Number(numDeletedRows)
  }
}

async function insertOrCount(within: Database, limits: readonly Limit[], whom: string, clock: Clock) {
  const longest = Math.max(...limits.map(limit => limit.per))
  const values: NewCounts = { now: isoAfter(clock), latest: isoAfter(clock, longest + CLOCKS_DIFFER) }
  for (const [at, limit] of limits.entries()) {
    values[`key${at}`] = hashOf(limit, whom)
    values[`most${at}`] = limit.count
    values[`ends_at${at}`] = isoAfter(clock, limit.per)
  }
  return await statementFor(limits.length)(within, values)
}

interface NewCounts {
  now: string
  latest: string
  [key: `key${number}`]: string
  [most: `most${number}`]: number
  [endsAt: `ends_at${number}`]: string
}

const statements = new Map<number, ReturnType<typeof countRows>>()

function statementFor(length: number) {
  const statement = statements.get(length) ?? countRows(length)
  statements.set(length, statement)
  return statement
}

/** Begins a window for each key or counts in the one that runs, to one past the limit: that one is refused. */
function countRows(length: number) {
  return prepare<NewCounts, Pick<RateLimitRow, 'key' | 'used' | 'ends_at'>>((db, value) => {
    const isOver = sql`(rate_limits.ends_at <= ${value('now')} or rate_limits.ends_at > ${value('latest')})`
    return db
      .insertInto('rate_limits')
      .values(
        Array.from({ length }, (_, at) => ({
          key: value(`key${at}`),
          used: 1,
          most: value(`most${at}`),
          ends_at: value(`ends_at${at}`),
        })),
      )
      .onConflict(conflict =>
        conflict.column('key').doUpdateSet({
          used: sql<number>`case when ${isOver} then 1 else least(rate_limits.used, excluded.most) + 1 end`,
          ends_at: sql<string>`case when ${isOver} then excluded.ends_at else rate_limits.ends_at end`,
        }),
      )
      .returning(['key', 'used', 'ends_at'])
  })
}

/** However often it was refused since, one place is free again. */
async function takeBack(db: Database, clock: Clock, key: string) {
  await db
    .updateTable('rate_limits')
    .set({ used: sql<number>`greatest(least(used, most) - 1, 0)` })
    .where('key', '=', key)
    .where('ends_at', '>', isoAfter(clock))
    .execute()
}

/** Addresses and accounts are nobody's business here, and of any length. */
function hashOf(limit: Limit, whom: string): string {
  return createHash('sha256').update(keyOf(limit, whom)).digest('base64url')
}
