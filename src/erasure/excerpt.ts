import { sql } from 'kysely'
import { isPostgres } from '../database/engine.ts'
import type { Database } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { ERASED } from './addresses.ts'

/**
 * Erases words of a conversation. Lists show the beginning of the last mail, which is a copy: it becomes that of the last one
 * that is left, or goes. Both in one transaction, so that no copy stays when the work is cut short.
 */
export async function eraseInConversation<Result>(
  db: Database,
  messageId: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async transaction => {
    const message = transaction.selectFrom('messages').select('id').where('id', '=', messageId)
    // Before its entries, in the order in which they are locked by who answers or deletes it.
    await message.$if(isPostgres(transaction), query => query.forUpdate()).execute()
    const result = await work(transaction)
    await transaction
      .updateTable('messages')
      .set({ excerpt: sql<string | null>`(${lastMail})` })
      .where('id', '=', messageId)
      .where('excerpt', 'is not', null)
      .execute()
    return result
  })
}

/** As it is when a mail is added: automatic ones, and those from before the mailbox, are not shown in lists. */
const lastMail = sql`
  select substr(case when entries.body = '' then inbound_mails.subject else entries.body end, 1, 640)
  from entries join inbound_mails on inbound_mails.entry_id = entries.id
  where entries.message_id = messages.id and entries.kind = 'inbound' and entries.detail is null
    and entries.body <> ${sql.lit(ERASED)}
  order by entries.seq desc limit 1`
