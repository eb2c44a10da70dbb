import { type Clock, isoAfter } from '../clock.ts'
import { type Param, prepare } from '../database/prepare.ts'
import type { Database, StoredReplyRow } from '../database/tables.ts'

/** How a repeated request is recognised, and for how long it gets the first reply again. */
export interface IdempotencyKey {
  /** SHA-256. */
  readonly key: string
  /** SHA-256 of what a repeat has in common with the first request. */
  readonly requestHash: string
  /** Milliseconds. */
  readonly lifetime: number
}

interface RepliedRequest extends IdempotencyKey {
  readonly reply: object
}

/**
 * Claims a key for this request, in the transaction that does its work. Of several concurrent requests one gets it; the
 * others wait and then find its reply. @returns whether the key was free.
 */
export async function claimKey(
  db: Database,
  clock: Clock,
  { key, requestHash, reply, lifetime }: RepliedRequest,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await insertOrReplaceExpired(db, {
    key,
    request_hash: requestHash,
    reply: JSON.stringify(reply),
    now: isoAfter(clock),
    expires_at: isoAfter(clock, lifetime),
  })
  return numAffectedRows > 0n
}

interface NewReply extends StoredReplyRow {
  readonly now: string
}

const insertOrReplaceExpired = prepare((db, value: Param<NewReply>) =>
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
        .where('idempotency_keys.expires_at', '<=', value('now')),
    ),
)

/** The stored reply of a key, unless it has expired. */
export async function findReply(db: Database, clock: Clock, key: string) {
  const { rows } = await selectReply(db, { key, now: isoAfter(clock) })
  return rows[0]
}

const selectReply = prepare((db, value: Param<{ key: string; now: string }>) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('key', '=', value('key'))
    .where('expires_at', '>', value('now')),
)

/** Deletes expired keys and their replies. */
export async function deleteExpiredKeys(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', isoAfter(clock)).execute()
}
