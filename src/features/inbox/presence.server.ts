import { type Clock, isoAfter, seconds } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'

/** Somebody who looks says so every fifteen seconds; one of these may be lost. */
const PRESENCE_LIFETIME = seconds(35)
/** More names help nobody. */
const MAX_OTHERS = 20

interface Looking {
  readonly messageId: string
  readonly userId: string
}

export async function recordPresence(db: Database, clock: Clock, looking: Looking): Promise<void> {
  const expires_at = isoAfter(clock, PRESENCE_LIFETIME)
  await db
    .insertInto('presence')
    .values({ message_id: looking.messageId, user_id: looking.userId, expires_at })
    .onConflict(conflict => conflict.columns(['message_id', 'user_id']).doUpdateSet({ expires_at }))
    .execute()
}

/** Who else is looking, by name. */
export async function listOthers(db: Database, clock: Clock, { messageId, userId }: Looking) {
  return await db
    .selectFrom('presence')
    .innerJoin('users', 'users.id', 'presence.user_id')
    .select(['users.id', 'users.name'])
    .where('message_id', '=', messageId)
    .where('user_id', '!=', userId)
    .where('expires_at', '>', isoAfter(clock))
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(MAX_OTHERS)
    .execute()
}

export async function deletePresence(db: Database, { messageId, userId }: Looking): Promise<void> {
  await db.deleteFrom('presence').where('message_id', '=', messageId).where('user_id', '=', userId).execute()
}

export async function deleteExpiredPresence(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('presence').where('expires_at', '<=', isoAfter(clock)).execute()
}
