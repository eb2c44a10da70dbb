import type { Database } from '../../../database/tables.ts'
import { fitPage } from '../../../http/json.ts'
import { nextTurn } from '../../../platform/turns.ts'
import { readErasureRequest } from '../../privacy/erasure-requests.server.ts'
import { listDraftFiles } from '../attachments/draft-files.server.ts'
import type { MessagePage, OpenMessage } from '../contract.ts'
import { listDrafts } from '../drafts/drafts.server.ts'
import { readFirstReply } from '../history/history.server.ts'
import { readHistoryPage } from '../history/history-page.server.ts'
import { readMails } from '../mail-in/stored-mail.server.ts'
import { findSamePerson, listMerged, toMerged } from '../merging/merge.server.ts'
import { isFollowing } from '../notices/notices.server.ts'
import { listScheduled } from '../replies/scheduled.server.ts'
import { addMatches } from '../search/match.server.ts'
import type { MessageQuery } from './filter-contract.ts'
import { cursorOf, findNext, findPage, type ListFilter } from './list.server.ts'
import { selectMessages } from './select-messages.server.ts'
import { findMessage } from './store.server.ts'

/** Returns one page of messages, in the order of the list: fewer than `limit` when they are long. */
export async function listMessages(
  db: Database,
  filter: ListFilter,
  { limit, cursor }: Pick<MessageQuery, 'limit' | 'cursor'>,
): Promise<Omit<MessagePage, 'unread'>> {
  const { found, next } = await findPage(db, filter, { from: cursor, towards: 'older' }, limit)
  const ids = found.map(({ id }) => id)
  const shown = await selectMessages(db, ids)
  const fitting = fitPage(
    shown.map(({ message }) => message),
    ({ message }) => message,
  )
  const messages = filter.q === undefined ? fitting : await addMatches(db, fitting, filter.q)
  const last = messages.length < shown.length ? messages.at(-1) : undefined
  const nextCursor = last
    ? cursorOf({ id: last.id, last_activity_at: last.lastActivityAt, created_at: last.createdAt }, filter)
    : next
  return { messages, nextCursor }
}

/** A message as this reader sees it, with its neighbours in the filtered list. */
export async function openMessage(
  db: Database,
  id: string,
  filter: ListFilter,
  userId: string,
): Promise<OpenMessage | undefined> {
  // SQLite answers at once, so that several of these would otherwise be read in one turn, one after the other.
  await nextTurn()
  const row = await findMessage(db, id)
  const [shown] = await selectMessages(db, [id])
  if (!row || !shown) return undefined
  const from = cursorOf(row, filter)
  const merged = await listMerged(db, id)
  const [
    newer,
    older,
    history,
    firstReply,
    drafts,
    draftFiles,
    scheduled,
    samePerson,
    mails,
    follows,
    erasure,
  ] = await Promise.all([
    findNext(db, filter, { from, towards: 'newer' }),
    findNext(db, filter, { from, towards: 'older' }),
    readHistoryPage(db, id, merged),
    readFirstReply(db, [id, ...merged.map(it => it.id)]),
    listDrafts(db, { messageId: id, userId }),
    listDraftFiles(db, { messageId: id, userId }),
    listScheduled(db, id, userId),
    findSamePerson(db, row),
    readMails(db, [id]),
    isFollowing(db, id, userId),
    readErasureRequest(db, [id, ...merged.map(it => it.id)]),
  ])
  const { message, letterError } = shown
  const mail = mails.get(id)
  const deliveryError = message.letter === 'waiting' ? null : letterError
  return {
    ...{ message, deliveryError, newer, older, ...history, firstReply, drafts, samePerson },
    ...(draftFiles.length > 0 && { draftFiles }),
    ...(scheduled.length > 0 && { scheduled }),
    ...(erasure && { erasure }),
    ...(mail && { mail }),
    ...(follows && { isFollowing: true }),
    ...(merged.length > 0 && { merged: merged.map(other => toMerged(other, row)) }),
  }
}
