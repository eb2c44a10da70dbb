import { isPostgres } from '../database/engine.ts'
import type { Database, UserRow } from '../database/tables.ts'

/** A user as they were when their password or their code was checked. */
export type CheckedUser = Pick<UserRow, 'id' | 'email' | 'role' | 'password_hash'>

/**
 * Reads a user and locks the row until the transaction ends. Every change to a user locks this row first and then writes
 * what depends on it, so that two changes cannot interleave or deadlock.
 */
export async function lockUser(transaction: Database, id: string): Promise<UserRow | undefined> {
  return await lockUserBy(transaction, 'id', id)
}

export async function lockUserByEmail(transaction: Database, email: string) {
  return await lockUserBy(transaction, 'email', email)
}

async function lockUserBy(transaction: Database, column: 'id' | 'email', value: string) {
  return await transaction
    .selectFrom('users')
    .selectAll()
    .where(column, '=', value)
    // SQLite has one writer, so its transaction needs no row lock.
    .$if(isPostgres(transaction), query => query.forUpdate())
    .executeTakeFirst()
}

/**
 * Locks a user who has not changed since they were checked. A sign-in waits for hashes and for mail; meanwhile an admin
 * may have changed the password, role or address, or deleted the user.
 * @returns null in that case: the sign-in must fail.
 */
export async function lockUnchangedUser(transaction: Database, checked: CheckedUser) {
  const current = await lockUser(transaction, checked.id)
  const isSame =
    current?.password_hash === checked.password_hash &&
    current.role === checked.role &&
    current.email === checked.email
  return isSame ? current : null
}
