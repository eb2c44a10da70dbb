import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { DraftKind } from '../../../database/conversation-tables.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { hours, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { giveDraftFiles, moveDraftFiles } from '../attachments/draft-files.server.ts'
import { type Draft, type DraftChange, MAX_TEXT } from '../conversation/contract.ts'
import { lockForWork, type Work } from '../history/entries.server.ts'
import { mayAnswer, type Store } from '../messages/store.server.ts'

type DraftWork = Omit<Work, 'byId'>

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
  { db, clock, rateLimiter }: Services,
  { id: messageId, kind, body, version }: DraftChange,
  userId: string,
): Promise<void> {
  const writer = { messageId, userId }
  await inTransaction(db, async transaction => {
    await lockForWork(transaction, messageId)
    await rateLimiter.consumeInTransaction(transaction, [DRAFTS_PER_USER], userId)
    if (kind === 'reply') await assertUnscheduled(transaction, writer, body)
    const draft = (await listDrafts(transaction, writer)).find(it => it.kind === kind)
    if (version !== undefined && version !== (draft?.version ?? 0))
      throwHttpError(409, 'You have changed this draft in another window', {
        code: 'draft_changed',
        fields: { draft: draft ?? null },
      })
    if (body === '') await deleteDraft(transaction, writer, kind)
    else await putDraft({ transaction, clock }, writer, kind, body)
  })
}

/** What goes around a text is not sent, so it may change. @throws {HttpError} 409 */
async function assertUnscheduled(transaction: Database, { messageId, userId }: Writer, body: string) {
  const own = transaction.selectFrom('scheduled_replies').select('body_hash').where('user_id', '=', userId)
  const scheduled = await own.where('message_id', '=', messageId).executeTakeFirst()
  if (scheduled && scheduled.body_hash !== hashOf(body))
    throwHttpError(409, 'This reply is scheduled. Cancel its sending before you change it.', {
      code: 'draft_scheduled',
    })
}

/** By what a scheduled reply knows its draft. */
export const hashOf = (body: string): string => hash('sha256', body.trim())

/**
 * Keeps replies from being sent, at once: the outbox gives them up at its next look, with the history and a notice. Called where
 * nothing more than that is to be done about them.
 * @param which of a message, of a user, or both @param because a sentence @returns whether there was one
 */
export async function holdScheduled(
  db: Database,
  which: { readonly messageId?: string; readonly userId?: string },
  because: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scheduled_replies')
    .set({ held_because: because })
    .where('held_because', 'is', null)
    .$if(which.messageId !== undefined, query => query.where('message_id', '=', which.messageId ?? ''))
    .$if(which.userId !== undefined, query => query.where('user_id', '=', which.userId ?? ''))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function forgetScheduled(
  transaction: Database,
  { messageId, userId }: Writer,
): Promise<boolean> {
  const own = transaction.deleteFrom('scheduled_replies').where('message_id', '=', messageId)
  const { numDeletedRows } = await own.where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** What somebody is writing; empty when that is nothing. */
export async function readDraft(db: Database, writer: Writer, kind: DraftKind): Promise<string> {
  const draft = await selectDrafts(db, writer).where('kind', '=', kind).executeTakeFirst()
  return draft?.body ?? ''
}

/** Characters of a draft when replies are taken back into it or messages are merged: five texts. */
export const MAX_DRAFT = 5 * MAX_TEXT

const joinTexts = (first: string, second: string) => [first, second].filter(Boolean).join('\n\n')

/** @throws {HttpError} 409 for more than a draft holds, so that nothing is cut off */
function joined(first: string, second: string): string {
  const all = joinTexts(first, second)
  if (all.length > MAX_DRAFT)
    throwHttpError(409, 'The draft of this enquiry is too long to take this as well. Shorten it first.', {
      code: 'draft_full',
    })
  return all
}

const ADDED = 'Another text was added to its draft'

/** What came back is put before what was written meanwhile, so that nothing is lost. @returns all of it */
export async function returnToDraft(work: DraftWork, writer: Writer, body: string): Promise<string> {
  const all = joined(body, await readDraft(work.transaction, writer, 'reply'))
  await holdScheduled(work.transaction, writer, ADDED)
  await putDraft(work, writer, 'reply', all)
  return all
}

/** Puts what everybody is writing about one message after what they are writing about another. */
export async function moveDrafts(
  work: DraftWork,
  { from, to, kinds }: Giving & { readonly kinds: readonly DraftKind[] },
): Promise<void> {
  const { transaction } = work
  const moved = transaction.selectFrom('drafts').selectAll().where('message_id', '=', from)
  for (const { user_id: userId, kind, body } of await moved.where('kind', 'in', kinds).execute()) {
    const writer = { messageId: to, userId }
    await putDraft(work, writer, kind, joined(await readDraft(transaction, writer, kind), body))
  }
  await transaction.deleteFrom('drafts').where('message_id', '=', from).where('kind', 'in', kinds).execute()
  if (kinds.includes('reply')) await moveDraftFiles(transaction, { messageId: from }, { messageId: to })
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
  { transaction, clock }: DraftWork,
  { messageId, userId }: Writer,
  kind: DraftKind,
  body: string,
): Promise<void> {
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

/** Whose drafts are given to whom, or the messages that have them. */
interface Giving {
  readonly from: string
  readonly to: string
}

/** Drafts of one transaction, so that nobody waits for it. */
const AT_ONCE = 100

/**
 * Gives what one person was writing to another, after what that one is writing. What there is no room for stays where it is.
 * @throws {HttpError} 409 when something stays, or when the other may no longer answer
 */
export async function giveDrafts({ db, clock }: Store, giving: Giving): Promise<void> {
  let full: string | undefined
  for (let after: string | undefined = ''; after !== undefined; ) {
    const done: string = after
    const given = await inTransaction(db, transaction => giveSome({ transaction, clock }, giving, done))
    after = given.after
    full ??= given.full
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
  if (full !== undefined) await throwNoRoom(db, full, giving.to)
  await giveDraftFiles(db, giving)
}

/** @param after the message up to which it is done @returns the last one of these, if there are more, and one without room */
async function giveSome(work: DraftWork, { from, to }: Giving, after: string) {
  const { transaction } = work
  await lock(transaction, 'conversations')
  if (!(await mayAnswer(transaction, to)))
    throwHttpError(409, 'This colleague may no longer answer messages. Choose somebody else.')
  const rows = await transaction
    .selectFrom('drafts')
    .select(['message_id', 'kind', 'body'])
    .where('user_id', '=', from)
    .where('message_id', '>', after)
    .orderBy('message_id')
    .limit(AT_ONCE)
    .execute()
  // A message has a draft of each kind.
  const last = rows.length === AT_ONCE ? rows.at(-1)?.message_id : undefined
  const whole = last === undefined ? rows : rows.filter(row => row.message_id !== last)
  let full: string | undefined
  for (const { message_id: messageId, kind, body } of whole) {
    const writer = { messageId, userId: to }
    const both = joinTexts(await readDraft(transaction, writer, kind), body)
    if (both.length > MAX_DRAFT) {
      full ??= messageId
      continue
    }
    await putDraft(work, writer, kind, both)
    if (kind === 'reply') await holdScheduled(transaction, writer, ADDED)
    await deleteDraft(transaction, { messageId, userId: from }, kind)
    if (kind === 'reply') await moveDraftFiles(transaction, { messageId, userId: from }, { userId: to })
  }
  return { after: last && whole.at(-1)?.message_id, full }
}

/** @throws {HttpError} 409 when a draft of the one and that of the other are more than one draft holds */
export async function assertRoom(db: Database, { from, to }: Giving): Promise<void> {
  const full = await db
    .selectFrom('drafts')
    .innerJoin('drafts as own', join =>
      join
        .onRef('own.message_id', '=', 'drafts.message_id')
        .onRef('own.kind', '=', 'drafts.kind')
        .on('own.user_id', '=', to),
    )
    .select('drafts.message_id')
    .where('drafts.user_id', '=', from)
    .where(sql<number>`length(drafts.body) + length(own.body)`, '>', MAX_DRAFT - GAP)
    .limit(1)
    .executeTakeFirst()
  if (full) await throwNoRoom(db, full.message_id, to)
}

/** Characters between two texts that become one draft. */
const GAP = joinTexts('a', 'b').length - 2

async function throwNoRoom(db: Database, messageId: string, to: string): Promise<never> {
  const message = db.selectFrom('messages').select('reference').where('id', '=', messageId)
  const { reference } = await message.executeTakeFirstOrThrow()
  const { name } = await db.selectFrom('users').select('name').where('id', '=', to).executeTakeFirstOrThrow()
  return throwHttpError(
    409,
    `${name}'s draft about ${reference} is too long to take another one as well. Choose somebody else, or ask ${name} to shorten it.`,
    { code: 'draft_full' },
  )
}
