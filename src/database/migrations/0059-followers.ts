import { createIndex, createTable, type EarlierDatabase, KEY_OF, OF_MESSAGE, OF_USER } from './define.ts'

/** Who gets a notice of each new email, also while the message is not theirs. */
export async function addFollowers(db: EarlierDatabase): Promise<void> {
  await createTable(db, 'followers', [
    [OF_MESSAGE, 'message_id'],
    [OF_USER, 'user_id'],
    [KEY_OF, 'message_id', 'user_id'],
  ]).execute()
  await createIndex(db, 'followers', 'by_user', ['user_id'])
}
