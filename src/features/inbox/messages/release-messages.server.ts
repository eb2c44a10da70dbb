import { permissionsOf } from '../../../auth/permissions.ts'
import type { MessageStatus } from '../../../database/conversation-tables.ts'
import { lock } from '../../../database/locks.ts'
import type { Database } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { throwFieldError } from '../../../http/http-error.ts'
import { describeError } from '../../../log/logger.ts'
import type { Services } from '../../../services.ts'
import { assertRoom, giveDrafts, holdScheduled } from '../drafts/drafts.server.ts'
import { addEvents } from '../history/entries.server.ts'
import { addAssignedNotices } from '../notices/notices.server.ts'
import { findColleague, mayAnswer } from './store.server.ts'

/** Messages of one transaction, so that it takes a few milliseconds and nobody waits for it. */
const AT_ONCE = 100
/** Closed messages and spam keep their assignee. */
const unfinished: readonly MessageStatus[] = ['open', 'waiting']

interface Releasing {
  readonly userId: string
  /** A colleague who gets what is not finished, and the admin who decided that; null for nobody. */
  readonly given?: { readonly toId: string; readonly byId: string | null } | undefined
  /** Finished messages, too: the account is about to be deleted. */
  readonly isAll?: boolean
  readonly isStopped?: () => boolean
}

/**
 * Gives what a person who can no longer answer had still to do to a colleague, with their drafts, or to nobody. Call it once the
 * loss is stored, since nobody gives them anything from then on. What an interruption leaves is done by `releaseLost`.
 */
export async function releaseMessages(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  releasing: Releasing,
): Promise<void> {
  const { given, ...others } = releasing
  if (!(await findColleague(db, releasing.userId, 'inbox:answer')))
    await holdScheduled(db, { userId: releasing.userId }, 'Its writer may no longer answer')
  if (given) {
    await releaseInChunks({ db, clock }, { ...releasing, isAll: false })
    await giveDrafts({ db, clock }, { from: releasing.userId, to: given.toId })
  }
  await releaseInChunks({ db, clock }, others)
}

async function releaseInChunks(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { given, ...releasing }: Releasing,
): Promise<void> {
  const { userId, isStopped = () => false } = releasing
  for (let released = 1; released > 0 && !isStopped(); ) {
    released = await inTransaction(db, async transaction => {
      await lock(transaction, 'conversations')
      const to = given && (await mayAnswer(transaction, given.toId)) ? given.toId : null
      const ids = await takeSome(transaction, releasing, to)
      if (given && to) {
        const work = { transaction, clock, byId: given.byId }
        await addEvents(work, ids, 'assigned', to)
        await addAssignedNotices(work, ids, to)
      }
      // Nobody decided to assign it to nobody: it follows from the loss.
      else await addEvents({ transaction, clock, byId: null }, ids, 'released', userId)
      return ids.length
    })
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function takeSome(
  transaction: Transaction,
  { userId, isAll = false }: Releasing,
  assignee_id: string | null,
): Promise<string[]> {
  // They have the permission again.
  if (await mayAnswer(transaction, userId)) return []
  const assigned = transaction.selectFrom('messages').select('id').where('assignee_id', '=', userId)
  const some = assigned.$if(!isAll, query => query.where('status', 'in', unfinished)).limit(AT_ONCE)
  const rows = await transaction
    .updateTable('messages')
    .set(eb => ({ assignee_id, version: eb('version', '+', 1) }))
    .where('id', 'in', some)
    .where('assignee_id', '=', userId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Releases what is left because a process ended before it had released all. */
export async function releaseLost(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  isStopped: () => boolean,
): Promise<void> {
  try {
    const rows = await services.db
      .selectFrom('users')
      .select(['id', 'role', 'inbox'])
      .where(eb => {
        const own = eb.selectFrom('messages').select('messages.id').whereRef('assignee_id', '=', 'users.id')
        const scheduled = eb
          .selectFrom('scheduled_replies')
          .select('message_id')
          .whereRef('user_id', '=', 'users.id')
          .where('held_because', 'is', null)
        return eb.or([eb.exists(own.where('status', 'in', unfinished)), eb.exists(scheduled)])
      })
      .execute()
    for (const { id, role, inbox } of rows)
      if (!permissionsOf(role, inbox).includes('inbox:answer'))
        await releaseMessages(services, { userId: id, isStopped })
  } catch (error) {
    services.log('warning', 'API', 'Messages not released', describeError(error))
  }
}

/**
 * Before anything is changed.
 * @throws {HttpError} 400 unless what somebody had to do can be given to this colleague, or is given to nobody; 409 when the
 * drafts of the colleague have no room for it
 */
export async function assertMayTake(db: Database, id: string, assignTo: string | undefined): Promise<void> {
  if (assignTo === undefined) return
  if (assignTo !== id && (await findColleague(db, assignTo, 'inbox:answer')))
    return await assertRoom(db, { from: id, to: assignTo })
  throwFieldError('assignTo', 'Choose somebody else who may answer messages')
}
