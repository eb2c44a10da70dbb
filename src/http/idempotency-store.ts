import { type Param, prepare } from '../database/prepare.ts'
import type { Database, StoredReplyRow } from '../database/tables.ts'
import { type Clock, isoAfter, MAX_CLOCK_SKEW } from '../platform/clock.ts'

/** Identifies a repeated request, and says for how long it gets the first reply again. */
export interface IdempotencyKey {
  /** SHA-256. */
  readonly key: string
  /** SHA-256 of what a repeat has in common with the first request. */
  readonly requestHash: string
  /** Milliseconds. */
  readonly lifetime: number
}

/**
 * Claims a key for this request, in the transaction that does its work. Of several concurrent requests one gets it; the
 * others wait and then find its reply. @returns whether the key was free.
 */
export async function claimKey(
  db: Database,
  clock: Clock,
  { key, requestHash, reply, lifetime }: IdempotencyKey & { readonly reply: object },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await insertOrReplaceExpired(db, {
    key,
    request_hash: requestHash,
    reply: JSON.stringify(reply),
    ...boundsOf(clock, lifetime),
    expires_at: isoAfter(clock, lifetime),
  })
  return numAffectedRows > 0n
}

/** A key expires after now and until the latest; one that expires later was stored before a clock was set back, and is over. */
interface Bounds {
  readonly now: string
  readonly latest: string
}

const boundsOf = (clock: Clock, lifetime: number): Bounds => {
  return { now: isoAfter(clock), latest: isoAfter(clock, lifetime + MAX_CLOCK_SKEW) }
}

const insertOrReplaceExpired = prepare((db, value: Param<StoredReplyRow & Bounds>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      key: value('key'),
      request_hash: value('request_hash'),
      reply: value('reply'),
      expires_at: value('expires_at'),
    })
    .onConflict(conflict =>
      conflict
        .column('key')
        .doUpdateSet(eb => ({
          request_hash: eb.ref('excluded.request_hash'),
          reply: eb.ref('excluded.reply'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where(eb =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', value('now')),
            eb('idempotency_keys.expires_at', '>', value('latest')),
          ]),
        ),
    ),
)

export type FoundReply = Pick<StoredReplyRow, 'key' | 'request_hash' | 'reply'>

/** Frees the key of a reply that no longer holds, unless another request has claimed it since. */
export async function forgetReply(db: Database, { key, reply }: FoundReply): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('key', '=', key).where('reply', '=', reply).execute()
}

/** The stored reply of a key, unless it has expired. */
export async function findReply(db: Database, clock: Clock, { key, lifetime }: IdempotencyKey) {
  const { rows } = await selectReply(db, { key, ...boundsOf(clock, lifetime) })
  return rows[0]
}

const selectReply = prepare((db, value: Param<Bounds & { readonly key: string }>) =>
  db
    .selectFrom('idempotency_keys')
    .select(['key', 'request_hash', 'reply'])
    .where('key', '=', value('key'))
    .where('expires_at', '>', value('now'))
    .where('expires_at', '<=', value('latest')),
)

export async function deleteExpiredKeys(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', isoAfter(clock)).execute()
}
