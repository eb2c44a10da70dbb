import type { Database } from '../../database/tables.ts'

/** Wrong codes in a row, however long they take, after which an account waits for an admin or for the server. */
export const MAX_WRONG_CODES_IN_A_ROW = 100

/**
 * Counts a code as wrong before it is looked at, so that many at once are not more than allowed.
 * @returns how many that makes in a row; null when none was left.
 */
export async function countWrongCode(db: Database, userId: string): Promise<number | null> {
  const counted = await db
    .updateTable('users')
    .set(eb => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('id', '=', userId)
    .where('wrong_codes', '<', MAX_WRONG_CODES_IN_A_ROW)
    .returning('wrong_codes')
    .executeTakeFirst()
  return counted?.wrong_codes ?? null
}

export async function resetWrongCodes(db: Database, userId: string): Promise<void> {
  await db.updateTable('users').set({ wrong_codes: 0 }).where('id', '=', userId).execute()
}
