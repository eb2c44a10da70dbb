import { sql } from 'kysely'
import { lock } from '../../database/locks.ts'
import type { Database } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { deleteDraft, joinTexts, listDrafts, MAX_DRAFT, putDraft } from './drafts.server.ts'
import { mayAnswer } from './staff.server.ts'

/** Whose drafts are given to whom. */
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
export async function giveDrafts(services: Pick<Services, 'db' | 'clock'>, giving: Giving): Promise<void> {
  let full: string | undefined
  for (let after: string | undefined = ''; after !== undefined; ) {
    const done: string = after
    const given = await inTransaction(services.db, transaction =>
      giveSome(transaction, services, giving, done),
    )
    after = given.after
    full ??= given.full
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
  if (full !== undefined) await throwNoRoom(services.db, full, giving.to)
}

/** @param after the message up to which it is done @returns the last one of these, if there are more, and one without room */
async function giveSome(
  transaction: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { from, to }: Giving,
  after: string,
): Promise<{ readonly after?: string | undefined; readonly full?: string | undefined }> {
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
    const own = (await listDrafts(transaction, writer)).find(draft => draft.kind === kind)
    const both = joinTexts(own?.body ?? '', body)
    if (both.length > MAX_DRAFT) {
      full ??= messageId
      continue
    }
    await putDraft(transaction, clock, writer, kind, both)
    await deleteDraft(transaction, { messageId, userId: from }, kind)
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
