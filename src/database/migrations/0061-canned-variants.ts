import { addColumns, type EarlierDatabase } from './define.ts'

/** The texts of canned replies in further languages. */
export async function addCannedVariants(db: EarlierDatabase): Promise<void> {
  await addColumns(db, 'canned_replies', [["text not null default '[]'", 'variants']])
}
