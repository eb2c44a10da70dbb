import * as z from 'zod/mini'
import { hours } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import type { MessageRow } from '../../database/tables.ts'
import { inTransaction, type Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { keyFromHeader, replyOnce } from '../../http/idempotency.ts'
import type { Services } from '../../services.ts'
import { lockForWork, recordActivity } from './entries.server.ts'

/** Nobody writes one every twelve seconds; a token that does fills conversations that colleagues have to read. */
export const ADDITIONS_PER_USER = { name: 'notes and calls', count: 300, per: hours(1) }

interface Addition {
  readonly kind: 'note' | 'call'
  /** The message it is about, and what was written. */
  readonly input: { readonly id: string; readonly body: string }
  /** What else distinguishes it; empty where there is nothing else, so that keys of an earlier release stay valid. */
  readonly facts?: readonly unknown[]
}

type Caller = Pick<HandlerContext<'signed-in'>, 'user' | 'header'>

/** The stored reply of a repeat: no text, so that a note stays in its table and is erased with it. */
const Added = z.object({ id: z.string(), version: z.optional(z.number()) })

/**
 * Adds what somebody has written about a message, once for each idempotency key. @returns the id of what is added, and the
 * version of the message @throws {HttpError} 404; 409; 422 for a key that was used for another text; 429
 */
export async function addOnce(
  { db, clock, rateLimiter }: Pick<Services, 'db' | 'clock' | 'rateLimiter'>,
  { kind, input: { id, body }, facts = [] }: Addition,
  { user, header }: Caller,
  add: (transaction: Transaction, addedId: string, message: MessageRow) => Promise<void>,
): Promise<z.output<typeof Added>> {
  const content = JSON.stringify([id, body, ...facts])
  const key = keyFromHeader(`${kind} ${user.id}`, header('idempotency-key'), content)
  return await replyOnce({ db, clock }, key, Added, async attempt =>
    inTransaction(db, async transaction => {
      const message = await lockForWork(transaction, id)
      const added = { id: newId(clock()), version: message.version + 1 }
      await attempt.storeReply(transaction, added)
      await rateLimiter.consumeInTransaction(transaction, [ADDITIONS_PER_USER], user.id)
      await recordActivity(transaction, clock, id)
      await add(transaction, added.id, message)
      return added
    }),
  )
}
