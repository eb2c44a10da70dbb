import type { Clock } from '../../clock.ts'
import { countUpTo } from '../../database/count.ts'
import { lock } from '../../database/locks.ts'
import type { Database, MessageRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { ErasedList } from '../../erasure/erased-list.ts'
import { separateMerged, withMerged } from '../../erasure/with-merged.ts'
import type { Message } from './contract.ts'
import {
  addEvent,
  isOutOfDate,
  lockMessage,
  lockThread,
  raiseVersion,
  throwChanged,
} from './entries.server.ts'
import { MAX_UNREAD_COUNTED } from './filter-contract.ts'

export async function countUnread(db: Database): Promise<number> {
  return await countUpTo(
    db,
    db
      .selectFrom('messages')
      .select('id')
      .where('is_read', '=', 0)
      .where('status', 'in', ['open', 'waiting', 'closed'])
      .limit(MAX_UNREAD_COUNTED),
  )
}

export async function findMessage(db: Database, id: string): Promise<MessageRow | undefined> {
  return await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @returns whether the message exists. The history records who read it first. */
export async function markMessageRead(
  db: Database,
  clock: Clock,
  id: string,
  userId: string,
): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({ is_read: 1 })
      .where('id', '=', id)
      .where('is_read', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await addEvent(transaction, clock, id, userId, 'read')
    return numUpdatedRows > 0n || (await findMessage(transaction, id)) !== undefined
  })
}

/**
 * Records that a message was forwarded: it has been dealt with, so it also counts as read. @returns the version of the
 * conversation's message; undefined when it no longer exists
 */
export async function recordForward(
  db: Database,
  clock: Clock,
  id: string,
  userId: string,
  colleagueId: string | null,
): Promise<number | undefined> {
  return await inTransaction(db, async transaction => {
    const { message, target } = await lockThread(transaction, id)
    if (!message) return
    await transaction.updateTable('messages').set({ is_read: 1 }).where('id', '=', id).execute()
    await addEvent(transaction, clock, id, userId, 'forwarded', colleagueId)
    return await raiseVersion(transaction, target ?? message)
  })
}

/**
 * Deletes a message, those from the same address that are merged into it, and the emails about them, and records their ids
 * so that a restore does not bring them back. What came from another address is a message of its own again.
 * @param version what the message must still have
 * @returns whether the message existed. @throws {HttpError} 409 for a version that is out of date
 */
export async function deleteMessage(
  db: Database,
  clock: Clock,
  erased: ErasedList,
  { id, version }: { id: string; version?: number | undefined },
): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    await lock(transaction, 'conversations')
    // Without this check, a request with a made-up id would add an entry to the list.
    const message = await lockMessage(transaction, id)
    if (!message) return false
    if (isOutOfDate(version, message)) throwChanged()
    const ids = await withMerged(transaction, [id])
    await erased.addMessages(transaction, ids)
    await separateMerged(transaction, clock, ids)
    await transaction.deleteFrom('messages').where('id', 'in', ids).execute()
    return true
  })
}

/** @param stored the column `details` */
export function parseDetails(stored: string | null): Message['details'] {
  return stored === null ? {} : JSON.parse(stored)
}
