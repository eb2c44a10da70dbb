import { type Clock, hours, isoAfter } from '../../clock.ts'
import type { DraftKind } from '../../database/conversation-tables.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { type Draft, type DraftChange, MAX_TEXT } from './conversation-contract.ts'
import { lockForWork } from './entries.server.ts'

/** What one person is writing about one message. */
export interface Writer {
  readonly messageId: string
  readonly userId: string
}

export async function listDrafts(db: Database, writer: Writer): Promise<Draft[]> {
  const rows = await selectDrafts(db, writer).orderBy('kind').execute()
  return rows.map(({ updated_at, ...draft }) => ({ ...draft, updatedAt: updated_at }))
}

/** One is saved a second after the last key, so that nobody who types reaches this. */
export const DRAFTS_PER_USER = { name: 'drafts', count: 3000, per: hours(1) }

/** @throws {HttpError} 404; 409 when the caller has changed the draft elsewhere; 429 */
export async function saveDraft(
  { db, clock, rateLimiter }: Pick<Services, 'db' | 'clock' | 'rateLimiter'>,
  { id: messageId, kind, body, version }: DraftChange,
  userId: string,
): Promise<void> {
  await inTransaction(db, async transaction => {
    await lockForWork(transaction, messageId)
    await rateLimiter.consumeInTransaction(transaction, [DRAFTS_PER_USER], userId)
    const drafts = await listDrafts(transaction, { messageId, userId })
    const draft = drafts.find(it => it.kind === kind)
    if (version !== undefined && version !== (draft?.version ?? 0))
      throwHttpError(409, 'You have changed this draft in another window', {
        code: 'draft_changed',
        fields: { draft: draft ?? null },
      })
    if (body === '') await deleteDraft(transaction, { messageId, userId }, kind)
    else await putDraft(transaction, clock, { messageId, userId }, kind, body)
  })
}

/** What somebody is writing to the visitor; empty when that is nothing. */
export async function readReplyDraft(db: Database, writer: Writer): Promise<string> {
  const draft = await selectDrafts(db, writer).where('kind', '=', 'reply').executeTakeFirst()
  return draft?.body ?? ''
}

/** Characters of a draft when replies are taken back into it or messages are merged: five texts. */
export const MAX_DRAFT = 5 * MAX_TEXT

/** Both texts, as one draft. */
export const joinTexts = (first: string, second: string) => [first, second].filter(Boolean).join('\n\n')

/** @throws {HttpError} 409 for more than a draft holds, so that nothing is cut off */
function joined(first: string, second: string): string {
  const all = joinTexts(first, second)
  if (all.length > MAX_DRAFT)
    throwHttpError(409, 'The draft of this enquiry is too long to take this as well. Shorten it first.', {
      code: 'draft_full',
    })
  return all
}

/** What came back is put before what was written meanwhile, so that nothing is lost. @returns all of it */
export async function returnToDraft(
  transaction: Database,
  clock: Clock,
  writer: Writer,
  body: string,
): Promise<string> {
  const later = await readReplyDraft(transaction, writer)
  const all = joined(body, later)
  await putDraft(transaction, clock, writer, 'reply', all)
  return all
}

/** Puts what everybody is writing about one message after what they are writing about another. */
export async function moveDrafts(
  transaction: Database,
  clock: Clock,
  { from, to, kinds }: { from: string; to: string; kinds: readonly DraftKind[] },
): Promise<void> {
  const moved = transaction.selectFrom('drafts').selectAll().where('message_id', '=', from)
  const drafts = await moved.where('kind', 'in', kinds).execute()
  for (const { user_id: userId, kind, body } of drafts) {
    const own = (await listDrafts(transaction, { messageId: to, userId })).find(draft => draft.kind === kind)
    const both = joined(own?.body ?? '', body)
    await putDraft(transaction, clock, { messageId: to, userId }, kind, both)
  }
  await transaction.deleteFrom('drafts').where('message_id', '=', from).where('kind', 'in', kinds).execute()
}

export async function deleteDraft(transaction: Database, writer: Writer, kind: DraftKind): Promise<void> {
  await transaction
    .deleteFrom('drafts')
    .where('message_id', '=', writer.messageId)
    .where('user_id', '=', writer.userId)
    .where('kind', '=', kind)
    .execute()
}

export async function putDraft(
  transaction: Database,
  clock: Clock,
  { messageId, userId }: Writer,
  kind: DraftKind,
  body: string,
) {
  const updated_at = isoAfter(clock)
  await transaction
    .insertInto('drafts')
    .values({ message_id: messageId, user_id: userId, kind, body, version: 1, updated_at })
    .onConflict(conflict =>
      conflict
        .columns(['message_id', 'user_id', 'kind'])
        .doUpdateSet(eb => ({ body, updated_at, version: eb('drafts.version', '+', 1) })),
    )
    .execute()
}

function selectDrafts(db: Database, { messageId, userId }: Writer) {
  return db
    .selectFrom('drafts')
    .select(['kind', 'body', 'version', 'updated_at'])
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
}
