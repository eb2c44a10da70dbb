import { type SqlBool, sql } from 'kysely'
import { type Clock, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import { orderOf, type Place } from './filter.server.ts'

/** Whether the letter that tells staff of this message could not be sent, be it its own or one that tells of many. */
export const hasFailedLetter = sql<SqlBool>`(
  exists (select 1 from outbox where outbox.message_id = messages.id and outbox.state = 'failed')
  or exists (select 1 from gathered_notices join outbox on outbox.id = gathered_notices.letter_id
    where gathered_notices.message_id = messages.id and outbox.state = 'failed'))`

/** The messages whose letter could not be sent, from a place on. */
export function selectWithFailedLetter(db: Database, { from, towards }: Place, most: number) {
  const order = orderOf({ towards })
  const comparison = towards === 'older' ? '<' : '>'
  const own = db
    .selectFrom('outbox')
    .select(eb => eb.ref('outbox.message_id').$castTo<string>().as('id'))
    .where('outbox.state', '=', 'failed')
    .where('outbox.message_id', 'is not', null)
    .$if(from !== undefined, select => select.where('outbox.message_id', comparison, from ?? ''))
    .orderBy('outbox.message_id', order)
    .limit(most)
  const shared = db
    .selectFrom('gathered_notices')
    .innerJoin('outbox', 'outbox.id', 'gathered_notices.letter_id')
    .select('gathered_notices.message_id as id')
    .where('outbox.state', '=', 'failed')
    .$if(from !== undefined, select => select.where('gathered_notices.message_id', comparison, from ?? ''))
    .orderBy('gathered_notices.message_id', order)
    .limit(most)
  const both = db
    .selectFrom(own.as('own'))
    .select('own.id')
    .unionAll(db.selectFrom(shared.as('shared')).select('shared.id'))
  return db.selectFrom(both.as('failed')).select('id').orderBy('id', order).limit(most)
}

/**
 * Has the letter that tells of a message sent again, as if it were new: with all its tries before it.
 * @returns whether it had failed.
 */
export async function retryLetter(db: Database, clock: Clock, messageId: string): Promise<boolean> {
  const now = isoAfter(clock)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now })
    .where('state', '=', 'failed')
    .where(eb =>
      eb.or([
        eb('message_id', '=', messageId),
        eb(
          'id',
          'in',
          eb.selectFrom('gathered_notices').select('letter_id').where('message_id', '=', messageId),
        ),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
