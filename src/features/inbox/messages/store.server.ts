import { sql, type Updateable } from 'kysely'
import { type Permission, permissionsOf } from '../../../auth/permissions.ts'
import { countUpTo } from '../../../database/count.ts'
import { isPostgres } from '../../../database/engine.ts'
import { lock } from '../../../database/locks.ts'
import type { Database, MessageRow, Tables } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { deleteMessages, withMerged } from '../../../erasure/with-merged.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { Message } from '../contract.ts'
import {
  addEvent,
  isOutOfDate,
  lockMessage,
  lockThread,
  raiseVersion,
  throwChanged,
  type Work,
} from '../history/entries.server.ts'
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

/** Changes columns of a message that is locked. */
export async function updateMessage(
  transaction: Database,
  id: string,
  columns: Updateable<Tables['messages']>,
) {
  await transaction.updateTable('messages').set(columns).where('id', '=', id).execute()
}

export type Store = Pick<Services, 'db' | 'clock'>

/** @returns whether the message exists. The history records who read it first. */
export async function markMessageRead({ db, clock }: Store, id: string, byId: string): Promise<boolean> {
  return await inTransaction(db, async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({ is_read: 1 })
      .where('id', '=', id)
      .where('is_read', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await addEvent({ transaction, clock, byId }, id, 'read')
    return numUpdatedRows > 0n || (await findMessage(transaction, id)) !== undefined
  })
}

/**
 * Records that a message was forwarded: it has been dealt with, so it also counts as read. @returns the version of the
 * conversation's message; undefined when it no longer exists
 */
export async function recordForward(
  { db, clock }: Store,
  { id, byId, colleagueId }: { id: string; byId: string; colleagueId: string | undefined },
): Promise<number | undefined> {
  return await inTransaction(db, async transaction => {
    const { message, target } = await lockThread(transaction, id)
    if (!message) return
    await updateMessage(transaction, id, { is_read: 1 })
    await addEvent({ transaction, clock, byId }, id, 'forwarded', { detail: colleagueId ?? null })
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
  { db, clock, erased }: Store & Pick<Services, 'erased'>,
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
    await deleteMessages(transaction, clock, ids)
    return true
  })
}

/** @param stored the column `details` */
export function parseDetails(stored: string | null): Message['details'] {
  return stored === null ? {} : JSON.parse(stored)
}

/** Tags that are offered: more than anybody reads. */
const MAX_TAGS_LISTED = 200

/** The tags of these messages, by id, in alphabetical order. */
export async function tagsOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>(ids.map(id => [id, []]))
  if (ids.length === 0) return tags
  const rows = await db.selectFrom('message_tags').selectAll().where('message_id', 'in', ids).execute()
  for (const { message_id, tag } of rows) tags.get(message_id)?.push(tag)
  for (const list of tags.values()) list.sort()
  return tags
}

/** Replaces the tags of a message that is locked. @returns which came and which went */
export async function replaceTags(transaction: Database, messageId: string, tags: readonly string[]) {
  const before = (await tagsOf(transaction, [messageId])).get(messageId) ?? []
  const added = tags.filter(tag => !before.includes(tag))
  const removed = before.filter(tag => !tags.includes(tag))
  if (removed.length > 0)
    await transaction
      .deleteFrom('message_tags')
      .where('message_id', '=', messageId)
      .where('tag', 'in', removed)
      .execute()
  if (added.length > 0)
    await transaction
      .insertInto('message_tags')
      .values(added.map(tag => ({ message_id: messageId, tag })))
      .execute()
  return { added, removed }
}

/** The tags in use, each found by one step in the index, so that a tag of many messages costs no more. */
export async function listTags(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`with recursive used (tag, number) as (
      select min(tag), 1 from message_tags
      union all
      select (select min(tag) from message_tags where tag > used.tag), number + 1
      from used where tag is not null and number < ${sql.lit(MAX_TAGS_LISTED)}
    ) select tag from used where tag is not null`.execute(db)
  return rows.map(({ tag }) => tag)
}

/** More than an agency has. */
const MAX_LISTED = 200

/** A user with this permission; undefined when there is none with this id. */
export async function findColleague(db: Database, id: string, permission: Permission) {
  const row = await selectUsers(db).where('id', '=', id).executeTakeFirst()
  return row && permissionsOf(row.role, row.inbox).includes(permission) ? row : undefined
}

/**
 * Whether a user may answer, which stays so until the transaction ends: who takes it away waits, and then releases their
 * messages. A message is locked before a user.
 */
export async function mayAnswer(transaction: Database, id: string): Promise<boolean> {
  const user = selectUsers(transaction).where('id', '=', id)
  const row = await user.$if(isPostgres(transaction), query => query.forShare()).executeTakeFirst()
  return row !== undefined && permissionsOf(row.role, row.inbox).includes('inbox:answer')
}

/** Everybody with access to messages, by name. */
export async function listColleagues(db: Database) {
  const rows = await selectUsers(db).orderBy('name').orderBy('id').limit(MAX_LISTED).execute()
  return rows.flatMap(({ id, name, role, inbox }) => {
    const permissions = permissionsOf(role, inbox)
    return permissions.includes('inbox:read')
      ? [{ id, name, mayAnswer: permissions.includes('inbox:answer') }]
      : []
  })
}

function selectUsers(db: Database) {
  return db.selectFrom('users').select(['id', 'name', 'email', 'role', 'inbox'])
}

/** Message-IDs that a reply may name; those that do not fit into the header are left out again. */
const MAX_MAIL_IDS = 100

/** The Message-IDs of a conversation, which may be several messages; oldest first. */
export async function listMailIds(db: Database, messageIds: readonly string[]): Promise<string[]> {
  const select = db.selectFrom('mail_ids').select('mail_id').where('message_id', 'in', messageIds)
  const [first, newest] = await Promise.all([
    select.orderBy('created_at').orderBy('mail_id').limit(1).execute(),
    select.orderBy('created_at', 'desc').orderBy('mail_id', 'desc').limit(MAX_MAIL_IDS).execute(),
  ])
  return [...new Set([...first, ...newest.toReversed()].map(({ mail_id }) => mail_id))]
}

type MailHashes = 'identity_hash' | 'content_hash'
type MailId = Omit<Tables['mail_ids'], 'created_at' | MailHashes> &
  Partial<Pick<Tables['mail_ids'], MailHashes>>

export async function addMailId({ transaction, clock }: Omit<Work, 'byId'>, id: MailId): Promise<void> {
  const row = { ...id, created_at: isoAfter(clock) }
  await transaction.insertInto('mail_ids').values(row).execute()
}

/** Forgets the Message-ID of an email that is never sent. */
export async function deleteMailId(transaction: Database, { message_id, entry_id }: Omit<MailId, 'mail_id'>) {
  const sent = transaction.deleteFrom('mail_ids').where('message_id', '=', message_id)
  await sent.where('entry_id', '=', entry_id).execute()
}
