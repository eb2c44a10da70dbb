import { addColumns, type EarlierDatabase } from './define.ts'

/** What stands under the replies of one person, above the lines of the agency. Without it, their name does. */
export async function addSignatures(db: EarlierDatabase): Promise<void> {
  await addColumns(db, 'users', [['text', 'signature']])
}
