import type { Database } from '../database/tables.ts'
import { throwHttpError } from '../http/http-error.ts'
import type { AdminCall } from './notify-admins.ts'
import { permissionsOf } from './permissions.ts'

/**
 * Checks the caller again, in the transaction that makes the change: while the request waited for a password hash,
 * another admin may have signed them out, deleted or demoted them. @throws {HttpError} 401, 403
 */
export async function assertStillAdmin(transaction: Database, { session }: AdminCall): Promise<void> {
  const current = await transaction
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.role', 'users.inbox'])
    .where('sessions.id', '=', session.id)
    .executeTakeFirst()
  if (!current) throwHttpError(401, 'Please sign in to continue')
  const left = permissionsOf(current.role, current.inbox)
  const isAsBefore = session.permissions.every(permission => left.includes(permission))
  if (!isAsBefore) throwHttpError(403, "You don't have permission to do this")
}
