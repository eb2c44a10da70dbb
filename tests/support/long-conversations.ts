import { newId } from '../../src/database/id.ts'
import type { Database } from '../../src/database/tables.ts'

interface Long {
  readonly messageId: string
  readonly authorId: string
  readonly count: number
  /** Of each step. */
  readonly body: string
  /** When the first was written; each of the others a second later. */
  readonly from: Date
}

/** Rows that one statement takes. */
const CHUNK = 20
const kinds = ['reply', 'inbound', 'call', 'event'] as const

const timeOf = ({ from }: Long, at: number) => new Date(from.getTime() + at * 1000)

/** Stores entries that would take hours to write through the calls. Every fourth is an event. */
export async function storeEntries(db: Database, long: Long): Promise<void> {
  const rows = Array.from({ length: long.count }, (_, at) => {
    const kind = kinds[at % kinds.length] ?? 'reply'
    return {
      ...{ id: newId(timeOf(long, at)), message_id: long.messageId, seq: at + 1, kind },
      author_id: kind === 'inbound' ? null : long.authorId,
      body: kind === 'event' ? 'read' : long.body,
      created_at: timeOf(long, at).toISOString(),
    }
  })
  for (let at = 0; at < rows.length; at += CHUNK)
    await db
      .insertInto('entries')
      .values(rows.slice(at, at + CHUNK))
      .execute()
}

export async function storeNotes(db: Database, long: Long): Promise<void> {
  const rows = Array.from({ length: long.count }, (_, at) => ({
    ...{ id: newId(timeOf(long, at)), message_id: long.messageId, author_id: long.authorId },
    ...{ body: long.body, created_at: timeOf(long, at).toISOString() },
  }))
  for (let at = 0; at < rows.length; at += CHUNK)
    await db
      .insertInto('notes')
      .values(rows.slice(at, at + CHUNK))
      .execute()
}
