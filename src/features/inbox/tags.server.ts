import { sql } from 'kysely'
import type { Database } from '../../database/tables.ts'

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
export async function replaceTags(
  transaction: Database,
  messageId: string,
  tags: readonly string[],
): Promise<{ added: string[]; removed: string[] }> {
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
