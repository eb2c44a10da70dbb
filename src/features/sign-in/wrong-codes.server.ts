import type { Database } from '../../database/tables.ts'

/** Wrong codes in a row, over any time, after which only an admin or a code printed on the server unblocks the account. */
export const MAX_WRONG_CODES_IN_A_ROW = 100

/**
 * Counts a code as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
 * @returns the wrong codes in a row, including this one; null when the limit was already reached.
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
