import { createTable, type EarlierDatabase, KEY, NUMBER, TEXT } from './define.ts'

/** The mailbox that is fetched: how far, by which node, since when not. Decision 074. */
export async function addMailboxes(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'mailboxes', [
    [KEY, 'account'],
    [TEXT, 'connected_at'],
    ['text', 'uid_validity', 'first_uid', 'last_uid'],
    ['text', 'lease_owner', 'leased_until', 'due_at'],
    [`${NUMBER} default 0`, 'failures', 'passed_over', 'is_renumbered'],
    ['text', 'last_fetched_at', 'failing_since', 'problem', 'reason', 'reconciled_at'],
    ['text', 'import_state', 'import_from', 'import_uid'],
    [`${NUMBER} default 0`, 'import_total', 'import_done'],
    ['integer', 'plus_addresses'],
    ['text', 'trial'],
  ]).execute()
}
