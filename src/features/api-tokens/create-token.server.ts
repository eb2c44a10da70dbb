import { readSignature } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { type AdminCall, consumeNotification, notifyAdmins } from '../../auth/notify-admins.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Services } from '../../services.ts'
import { type CreateToken, type NewApiToken, typeLabels } from './contract.ts'
import { insertToken } from './store.server.ts'

/**
 * Creates a token and notifies every admin. @returns the token with its secret, of which the database keeps only the
 * hash; null when there is no such user: another admin may delete them at the same moment.
 */
export async function createTokenFor(
  services: Services,
  input: CreateToken,
  call: AdminCall,
): Promise<NewApiToken | null> {
  const { db, clock } = services
  await consumeNotification(services, call)
  const signature = await readSignature(services)
  return await inTransaction(db, async transaction => {
    const owner = await lockUser(transaction, input.userId)
    if (!owner) return null
    await assertStillAdmin(transaction, call)
    const token = await insertToken(transaction, clock, input)
    const { labels, sensitiveChange } = signature.texts.emails
    const facts = [
      [labels.actsAs, `${owner.name} <${owner.email}>`],
      [labels.description, token.description],
      [labels.type, typeLabels[token.token_type]],
      [labels.expires, `${token.expires_at.slice(0, 10)} UTC`],
    ] as const
    const change = { what: sensitiveChange.tokenCreated, facts }
    await notifyAdmins(services, transaction, call, change, signature)
    return token
  })
}
