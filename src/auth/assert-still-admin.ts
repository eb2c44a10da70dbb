import type { Database } from '../database/tables.ts'
import { throwHttpError } from '../http/http-error.ts'
import type { AdminCall } from './notify-admins.ts'

/**
 * Looks again at who is making a change, in the transaction that makes it: between the call and here they may have
 * waited for a hash, and another admin may have signed them out, deleted or demoted them. @throws {Problem} 401, 403
 */
export async function assertStillAdmin(transaction: Database, { session }: AdminCall): Promise<void> {
  const now = await transaction
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.role')
    .where('sessions.id', '=', session.id)
    .executeTakeFirst()
  if (!now) throwHttpError(401, 'Please sign in to continue')
  if (now.role !== 'admin') throwHttpError(403, "You don't have permission to do this")
}
