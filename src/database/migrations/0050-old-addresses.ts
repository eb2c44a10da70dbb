import {
  addColumns,
  createIndex,
  createTable,
  type EarlierDatabase,
  KEY,
  OF_DOCUMENT,
  TEXT,
} from './define.ts'

/**
 * Old addresses that staff name, also those of fixed pages, which belong to the site document. What was imported is known
 * by where it came from, so that nothing is imported twice.
 */
export async function addOldAddresses(db: EarlierDatabase): Promise<void> {
  await addColumns(db, 'content_redirects', [
    ['text', 'to_path'],
    ['integer not null default 0', 'is_kept'],
  ])
  await createIndex(db, 'content_redirects', 'by_time', ['created_at'])
  await createTable(db, 'content_origins', [
    [KEY, 'origin'],
    [OF_DOCUMENT, 'document_id'],
    [TEXT, 'created_at'],
  ]).execute()
}
