import { countUpTo } from '../../database/count.ts'
import type { Database } from '../../database/tables.ts'
import { MOST_UNREAD_COUNTED } from '../messages/contract.ts'

export async function countUnreadMessages(db: Database): Promise<number> {
  return await countUpTo(
    db,
    db.selectFrom('messages').select('id').where('is_read', '=', 0).limit(MOST_UNREAD_COUNTED),
  )
}

export async function countFailedLetters(db: Database): Promise<number> {
  return await countUpTo(
    db,
    db.selectFrom('outbox').select('id').where('state', '=', 'failed').limit(MOST_UNREAD_COUNTED),
  )
}
