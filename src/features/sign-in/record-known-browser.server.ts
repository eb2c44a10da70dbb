import { newDeviceEmail } from '../../auth/account-emails.ts'
import { describeDevice } from '../../auth/describe-device.ts'
import type { SignedInUser } from '../../auth/session.ts'
import { hashToken, newToken } from '../../auth/token.ts'
import { isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'

/**
 * Records that this user signs in with this browser, and sends an email when it is new. The first browser of an account
 * needs no email: its user has just read the first code. @returns the token for the cookie.
 */
export async function recordKnownBrowser(
  { clock, outbox }: Services,
  transaction: Transaction,
  call: Pick<HandlerContext<'public'>, 'address' | 'cookies' | 'header'>,
  user: SignedInUser,
  signature: EmailSignature,
): Promise<string> {
  const token = await reuseOrCreateToken(transaction, call)
  const tokenHash = hashToken(token)
  const known = await transaction
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('user_id', '=', user.id)
    .execute()
  const seen = { user_id: user.id, token_hash: tokenHash, seen_at: isoAfter(clock) }
  await transaction
    .insertInto('known_browsers')
    .values(seen)
    .onConflict(conflict =>
      conflict.columns(['user_id', 'token_hash']).doUpdateSet({ seen_at: seen.seen_at }),
    )
    .execute()
  if (known.length === 0 || known.some(({ token_hash }) => token_hash === tokenHash)) return token
  const device = describeDevice(call.header('user-agent') ?? '')
  const newDevice = { device, address: call.address, at: isoAfter(clock) }
  await outbox.add(transaction, newDeviceEmail(user, newDevice, signature), null)
  return token
}

/** A browser that several people use keeps one token. A token that this server did not issue is never adopted. */
async function reuseOrCreateToken(
  transaction: Database,
  { cookies }: Pick<HandlerContext<'public'>, 'cookies'>,
): Promise<string> {
  const presented = cookies.get('browser')
  if (!presented) return newToken()
  const row = await transaction
    .selectFrom('known_browsers')
    .select('user_id')
    .where('token_hash', '=', hashToken(presented))
    .limit(1)
    .executeTakeFirst()
  return row ? presented : newToken()
}
