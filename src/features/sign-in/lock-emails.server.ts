import { accountLockedEmail, readSignature } from '../../auth/account-emails.ts'
import { isoAfter } from '../../clock.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Services } from '../../services.ts'

/**
 * Sends an email to the owners of locked accounts. The login does not send it itself: the time of its reply must not
 * show whether there is such an account.
 */
export async function sendLockEmails(services: Services): Promise<void> {
  const { db, clock, outbox } = services
  const isDue = db.selectFrom('users').select('id').where('lock_email_due_at', '<=', isoAfter(clock))
  if (!(await isDue.limit(1).executeTakeFirst())) return
  const signature = await readSignature(services)
  await inTransaction(db, async transaction => {
    // When two nodes do this concurrently, the second finds no rows.
    const owners = await transaction
      .updateTable('users')
      .set({ lock_email_due_at: null })
      .where('lock_email_due_at', '<=', isoAfter(clock))
      .returning(['email', 'name'])
      .execute()
    for (const owner of owners) await outbox.add(transaction, accountLockedEmail(owner, signature), null)
  })
}
