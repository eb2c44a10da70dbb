import { createIndex, createTable, type EarlierDatabase, KEY, OF_USER, TEXT } from './define.ts'

/** Filters of the inbox that one person has saved under a name. */
export async function addSavedViews(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'saved_views', [
    [KEY, 'id'],
    [OF_USER, 'user_id'],
    [TEXT, 'name', 'filter', 'updated_at'],
  ]).execute()
  await createIndex(db, 'saved_views', 'by_user', ['user_id'])
}
