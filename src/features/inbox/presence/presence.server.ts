import { isGranted } from '../../../auth/permissions.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import { type Clock, hours, isoAfter, seconds } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { findMessage } from '../messages/store.server.ts'
import { presence } from './contract.ts'

/** By the shared clock. Somebody who looks says so every fifteen seconds; one of these may be lost. */
const PRESENCE_LIFETIME = seconds(35)
/** Who writes says so again every fifteen seconds, and when they stop. */
const WRITING_LIFETIME = seconds(20)
/** How often one person begins or stops in an hour, so that open screens hear of it. */
const TURNS_PER_USER = { name: 'began or stopped writing', count: 1200, per: hours(1) }
/** More names help nobody. */
const MAX_OTHERS = 20

interface Looking {
  readonly messageId: string
  readonly userId: string
}

/** Open screens hear of it when somebody begins or stops writing. */
async function recordPresence(services: Services, looking: Looking, isWriting: boolean): Promise<void> {
  const { db, clock, sharedClock, rateLimiter } = services
  const own = db.selectFrom('presence').select('writing_until').where('message_id', '=', looking.messageId)
  const before = await own.where('user_id', '=', looking.userId).executeTakeFirst()
  const wasWriting = (before?.writing_until ?? '') > isoAfter(sharedClock.now)
  const isTurn = wasWriting !== isWriting && (await rateLimiter.tryConsume(TURNS_PER_USER, looking.userId))
  if (!isTurn) return await putPresence(db, sharedClock.now, looking, isWriting)
  await inTransaction(db, async transaction => {
    await putPresence(transaction, sharedClock.now, looking, isWriting)
    recordChange(transaction, clock, looking.messageId, 'writing')
  })
}

async function putPresence(db: Database, clock: Clock, looking: Looking, isWriting: boolean) {
  const expires_at = isoAfter(clock, PRESENCE_LIFETIME)
  const writing_until = isWriting ? isoAfter(clock, WRITING_LIFETIME) : null
  await db
    .insertInto('presence')
    .values({ message_id: looking.messageId, user_id: looking.userId, expires_at, writing_until })
    .onConflict(conflict =>
      conflict.columns(['message_id', 'user_id']).doUpdateSet({ expires_at, writing_until }),
    )
    .execute()
}

async function listOthers(db: Database, clock: Clock, { messageId, userId }: Looking) {
  const now = isoAfter(clock)
  const rows = await db
    .selectFrom('presence')
    .innerJoin('users', 'users.id', 'presence.user_id')
    .select(['users.id', 'users.name', 'writing_until'])
    .where('message_id', '=', messageId)
    .where('user_id', '!=', userId)
    .where('expires_at', '>', now)
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(MAX_OTHERS)
    .execute()
  return rows.map(({ writing_until, ...person }) => ({ ...person, isWriting: (writing_until ?? '') > now }))
}

export async function deleteExpiredPresence(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('presence').where('expires_at', '<=', isoAfter(clock)).execute()
}

export function servePresence(router: ApiRouter): void {
  const { services } = router
  const { db, sharedClock } = services

  serve(router, presence.look, async ({ id, isWriting = false }, { user, permissions }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, 'This enquiry no longer exists')
    const looking = { messageId: id, userId: user.id }
    const writes = isWriting && isGranted('inbox:answer', permissions)
    await recordPresence(services, looking, writes)
    return { others: await listOthers(db, sharedClock.now, looking) }
  })

  serve(router, presence.leave, async ({ id }, { user }) => {
    await db.deleteFrom('presence').where('message_id', '=', id).where('user_id', '=', user.id).execute()
    return {}
  })
}
