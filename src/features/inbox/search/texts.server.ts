import { sql } from 'kysely'
import type { Database } from '../../../database/tables.ts'
import type { Message } from '../contract.ts'
import { noteTexts } from '../history/notes.server.ts'
import { parseDetails, tagsOf } from '../messages/store.server.ts'
import type { SearchedText } from './prepared-text.ts'

/** Characters of replies and calls, and of notes, of one message that are searched, the newest first: no read is without bound. */
export const MAX_SEARCHED = 100_000

/** All that a search reads of a message. What staff write for each other is apart. */
export interface MessageTexts {
  readonly id: string
  readonly visible: readonly SearchedText[]
  readonly notes: readonly SearchedText[]
}

/** The texts of these messages as they are now; those that are gone are left out. */
export async function readTexts(db: Database, ids: readonly string[]): Promise<MessageTexts[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'name', 'email', 'phone', 'reference', 'message', 'details'])
    .where('id', 'in', ids)
    .execute()
  const tags = await tagsOf(db, ids)
  const said = new Map((await readConversations(db, ids)).map(it => [it.id, it]))
  return rows.map(row => {
    const { visible = [], notes = [] } = said.get(row.id) ?? {}
    const shown = visitorTexts({ ...row, details: parseDetails(row.details), tags: tags.get(row.id) ?? [] })
    return { id: row.id, visible: [...shown, ...visible], notes }
  })
}

/** The replies, calls and notes of these messages, which a list does not show. */
export async function readConversations(db: Database, ids: readonly string[]): Promise<MessageTexts[]> {
  if (ids.length === 0) return []
  const [entries, notes] = await Promise.all([readEntries(db, ids), noteTexts(db, ids, MAX_SEARCHED)])
  const entriesOf = Map.groupBy(entries, entry => entry.message_id)
  const notesOf = Map.groupBy(notes, note => note.message_id)
  return ids.map(id => ({
    id,
    visible: (entriesOf.get(id) ?? []).map(({ kind, body }) => ({ field: kind, text: body })),
    notes: (notesOf.get(id) ?? []).map(({ body }) => ({ field: 'note', text: body })),
  }))
}

type Shown = Pick<Message, 'name' | 'email' | 'phone' | 'reference' | 'message' | 'details' | 'tags'>

/** What a list shows of a message anyway. */
export function visitorTexts({
  name,
  email,
  phone,
  reference,
  message,
  details,
  tags,
}: Shown): SearchedText[] {
  return [
    { field: 'name', text: name },
    { field: 'message', text: message },
    ...Object.values(details).map(text => ({ field: 'answer' as const, text })),
    { field: 'email', text: email },
    ...(phone === null ? [] : [{ field: 'phone' as const, text: phone }]),
    { field: 'reference', text: reference },
    ...tags.map(text => ({ field: 'tag' as const, text })),
  ]
}

async function readEntries(db: Database, ids: readonly string[]) {
  const counted = db
    .selectFrom('entries')
    .select(['message_id', 'kind', 'body', 'seq'])
    .select(
      sql<number>`sum(length(body)) over (partition by message_id order by seq desc rows unbounded preceding)`.as(
        'characters',
      ),
    )
    .where('message_id', 'in', ids)
    .where('kind', 'in', ['reply', 'inbound', 'call'])
  const rows = await db
    .selectFrom(counted.as('counted'))
    .select(['message_id', 'kind', 'body'])
    .where('characters', '<=', MAX_SEARCHED)
    .orderBy('seq', 'desc')
    .execute()
  return rows.flatMap(({ kind, ...row }) => (kind === 'event' ? [] : [{ ...row, kind }]))
}
