import { isPostgres } from '../database/engine.ts'
import type { Database, UserRow } from '../database/tables.ts'

/** A user as they were when their password or their code was looked at. */
export type CheckedUser = Pick<UserRow, 'id' | 'email' | 'role' | 'password_hash'>

/**
 * Reads a user for the rest of a transaction: nobody changes or deletes them before it ends. Whoever changes a user
 * touches this row first and what depends on it after, so that one of two waits for the other.
 */
export async function lockUser(transaction: Database, id: string): Promise<UserRow | undefined> {
  return await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    // SQLite has one writer, so there the transaction alone keeps others out.
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
}

/**
 * The same, if they are still who was looked at. A sign-in waits for hashes and for mail; meanwhile an admin may have
 * given another password, role or address, or deleted the user. @returns null then: what was begun must not be kept.
 */
export async function lockUnchangedUser(
  transaction: Database,
  checked: CheckedUser,
): Promise<UserRow | null> {
  const now = await lockUser(transaction, checked.id)
  const isSame =
    now?.password_hash === checked.password_hash && now.role === checked.role && now.email === checked.email
  return isSame ? now : null
}
