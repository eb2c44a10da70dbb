import { describeDevice } from '../../auth/describe-device.ts'
import { isActive, type Session } from '../../auth/session.ts'
import type { Clock } from '../../clock.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import type { OwnSession } from './contract.ts'

/** The user's active sessions: the current one first, then by last use. */
export async function listOwnSessions(
  db: Database,
  clock: Clock,
  { id: ownId, user }: Session,
): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where(isActive(clock))
    .orderBy('last_seen_at', 'desc')
    .execute()
  const sessions = rows.map(({ id, user_agent, created_at, last_seen_at }) => ({
    id,
    device: describeDevice(user_agent),
    createdAt: created_at,
    lastSeenAt: last_seen_at,
    isCurrent: id === ownId,
  }))
  return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** @returns whether this user had such a session */
export async function deleteOwnSession(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function readPasswordHash(db: Database, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash
}

export async function renameUser(db: Database, userId: string, name: UserRow['name']): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute()
}
