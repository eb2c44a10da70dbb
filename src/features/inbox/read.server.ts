import type { Database } from '../../database/tables.ts'
import type { MessagePage, OpenMessage } from './contract.ts'
import type { Entry } from './conversation-contract.ts'
import { listDrafts } from './drafts.server.ts'
import type { ListFilter } from './filter.server.ts'
import type { MessageQuery } from './filter-contract.ts'
import { readHistory, readMerged } from './history.server.ts'
import { cursorOf, findNext, findPage } from './list.server.ts'
import { listMerged } from './merge.server.ts'
import { listNotes } from './notes.server.ts'
import { findSamePerson, toRelated } from './same-person.server.ts'
import { selectMessages } from './select-messages.server.ts'
import { findMessage } from './store.server.ts'

/** Returns one page of messages, in the order of the list. */
export async function listMessages(
  db: Database,
  filter: ListFilter,
  { limit, cursor }: Pick<MessageQuery, 'limit' | 'cursor'>,
): Promise<Omit<MessagePage, 'unread'>> {
  const { found, next } = await findPage(db, filter, { from: cursor, towards: 'older' }, limit)
  const shown = await selectMessages(
    db,
    found.map(({ id }) => id),
  )
  return { messages: shown.map(({ message }) => message), nextCursor: next }
}

/** A message as this reader sees it, with its neighbours in the filtered list. */
export async function openMessage(
  db: Database,
  id: string,
  filter: ListFilter,
  userId: string,
): Promise<OpenMessage | undefined> {
  const row = await findMessage(db, id)
  const [shown] = await selectMessages(db, [id])
  if (!row || !shown) return undefined
  const from = cursorOf(row, filter)
  const merged = await listMerged(db, id)
  const [newer, older, history, ofMerged, notes, drafts, samePerson] = await Promise.all([
    findNext(db, filter, { from, towards: 'newer' }),
    findNext(db, filter, { from, towards: 'older' }),
    readHistory(db, id),
    readMerged(db, merged),
    listNotes(db, id, merged),
    listDrafts(db, { messageId: id, userId }),
    findSamePerson(db, row),
  ])
  const { message, letterError } = shown
  const deliveryError = message.letter === 'failed' ? letterError : null
  const entries = inOrder([...history.entries, ...ofMerged])
  const { lastSeq } = history
  return {
    ...{ message, deliveryError, newer, older, entries, lastSeq, notes, drafts, samePerson },
    ...(merged.length > 0 && { merged: merged.map(toRelated) }),
  }
}

/** By time, unless all are of one message and so in its order already. */
function inOrder(entries: readonly Entry[]): Entry[] {
  if (entries.every(({ origin }) => !origin)) return [...entries]
  return entries.toSorted(
    (one, other) => Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt),
  )
}
