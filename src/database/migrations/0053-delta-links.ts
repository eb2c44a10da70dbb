import { addColumns, type EarlierDatabase, NUMBER } from './define.ts'

/** How far a mailbox is fetched that does not number its mails: decision 076. */
export async function addDeltaLinks(db: EarlierDatabase): Promise<void> {
  await addColumns(db, 'mailboxes', [
    ['text', 'delta_link'],
    [`${NUMBER} default 0`, 'is_restarted'],
  ])
}
