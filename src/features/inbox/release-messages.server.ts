import { permissionsOf } from '../../auth/permissions.ts'
import type { MessageStatus } from '../../database/conversation-tables.ts'
import { lockConversations } from '../../database/lock-conversations.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import { describeError } from '../../log/logger.ts'
import type { Services } from '../../services.ts'
import { addEvents } from './entries.server.ts'
import { mayAnswer } from './staff.server.ts'

/** Messages of one transaction, so that it takes a few milliseconds and nobody waits for it. */
const AT_ONCE = 100
/** Closed messages and spam keep their assignee. */
const unfinished: readonly MessageStatus[] = ['open', 'waiting']

interface Releasing {
  readonly userId: string
  /** Who took the permission away; null on the server's console, and after an interruption. */
  readonly byId: string | null
  /** Finished messages, too: the account is about to be deleted. */
  readonly isAll?: boolean
  readonly isStopped?: () => boolean
}

/**
 * Assigns to nobody what a person who can no longer answer had still to do, so that a colleague takes it. Call it once the
 * loss is stored, since nobody gives them anything from then on. What an interruption leaves is done by `releaseLost`.
 */
export async function releaseMessages(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  releasing: Releasing,
): Promise<void> {
  const { isStopped = () => false } = releasing
  for (let released = 1; released > 0 && !isStopped(); ) {
    released = await inTransaction(db, async transaction => {
      await lockConversations(transaction)
      const ids = await takeSome(transaction, releasing)
      await addEvents(transaction, clock, ids, releasing.byId, 'unassigned')
      return ids.length
    })
    // On SQLite a transaction may block the event loop.
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function takeSome(transaction: Transaction, { userId, isAll = false }: Releasing): Promise<string[]> {
  // They have the permission again.
  if (await mayAnswer(transaction, userId)) return []
  const assigned = transaction.selectFrom('messages').select('id').where('assignee_id', '=', userId)
  const some = assigned.$if(!isAll, query => query.where('status', 'in', unfinished)).limit(AT_ONCE)
  const rows = await transaction
    .updateTable('messages')
    .set(eb => ({ assignee_id: null, version: eb('version', '+', 1) }))
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
        const messages = eb
          .selectFrom('messages')
          .select('messages.id')
          .whereRef('assignee_id', '=', 'users.id')
        return eb.exists(messages.where('status', 'in', unfinished))
      })
      .execute()
    for (const { id, role, inbox } of rows)
      if (!permissionsOf(role, inbox).includes('inbox:answer'))
        await releaseMessages(services, { userId: id, byId: null, isStopped })
  } catch (error) {
    services.log('warning', 'API', 'Messages not released', describeError(error))
  }
}
