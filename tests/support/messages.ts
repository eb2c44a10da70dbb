import type { Insertable } from 'kysely'
import { idsInOrder } from '../../src/database/id.ts'
import type { Tables } from '../../src/database/tables.ts'
import { type MessagePage, messages } from '../../src/features/inbox/contract.ts'
import type { MessageFilter } from '../../src/features/inbox/messages/filter-contract.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

type NewMessage = Partial<Insertable<Tables['messages']>>

/** Writes messages into the database, each a millisecond older than the one before it. @returns their ids. */
export async function storeMessages(
  { services: { db, clock } }: TestApp,
  changes: readonly NewMessage[],
): Promise<string[]> {
  const rows = newMessages(clock(), changes)
  // Oldest first, and few enough at a time for either engine.
  const arriving = rows.toReversed()
  for (let start = 0; start < arriving.length; start += 500)
    await db
      .insertInto('messages')
      .values(arriving.slice(start, start + 500))
      .execute()
  return rows.map(({ id }) => id)
}

/** Reads a whole list, page by page. @returns their ids, and how many calls it took. */
export async function readMessages(admin: Browser, filter: MessageFilter, limit = 100) {
  const ids: string[] = []
  let calls = 0
  let cursor: string | null = null
  do {
    const page: MessagePage = await admin.call(messages.list, { ...filter, limit, ...(cursor && { cursor }) })
    ids.push(...page.messages.map(({ id }) => id))
    cursor = page.nextCursor
    calls++
  } while (cursor)
  return { ids, calls }
}

/** Messages, newest first. */
export function newMessages(now: Date, changes: readonly NewMessage[]): Insertable<Tables['messages']>[] {
  const oldestFirst = changes.map((change, age) => ({ change, age })).toReversed()
  return oldestFirst.map(({ change, age }) => newMessage(new Date(now.getTime() - age), change)).toReversed()
}

/** What is stored by two calls within a millisecond has an order, too. */
const nextId = idsInOrder()

function newMessage(time: Date, change: NewMessage): Insertable<Tables['messages']> {
  const id = nextId(time)
  return {
    id,
    reference: `LF-${id}`,
    form_type: 'contact',
    name: 'Mai Nguyen',
    email: 'mai@visitor.test',
    phone: '+61 400 000 000',
    service: null,
    message: 'Can my sister join me in Perth?',
    is_read: 0,
    verification: 'off',
    created_at: time.toISOString(),
    ...change,
  }
}
