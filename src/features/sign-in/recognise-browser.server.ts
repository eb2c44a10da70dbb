import { nameDevice } from '../../accounts/device.ts'
import { newDeviceLetter, readSignature } from '../../accounts/letters.ts'
import { type Clock, days, isoAfter } from '../../clock.ts'
import type { Database } from '../../database/tables.ts'
import type { Call } from '../../http/serve.ts'
import type { SignedInUser } from '../../http/session.ts'
import { hashToken, newToken } from '../../http/token.ts'
import type { Services } from '../../services.ts'

/** As long as the cookie; whoever comes back later comes as from a new browser. */
const REMEMBERED = days(365)

/**
 * Remembers that this user signs in here, and writes to them when they never did before. The first browser of an
 * account needs no letter: whoever opens it there has just read its first code.
 */
export async function recogniseBrowser(
  services: Services,
  call: Pick<Call<'public'>, 'address' | 'cookies' | 'header'>,
  user: SignedInUser,
): Promise<void> {
  const { db, clock, outbox } = services
  const token = await keepOrGiveToken(db, call)
  const signature = await readSignature(services)
  await db.transaction().execute(async transaction => {
    const known = await transaction
      .selectFrom('known_browsers')
      .select('token_hash')
      .where('user_id', '=', user.id)
      .execute()
    const tokenHash = hashToken(token)
    const seen = { user_id: user.id, token_hash: tokenHash, seen_at: isoAfter(clock) }
    await transaction
      .insertInto('known_browsers')
      .values(seen)
      .onConflict(conflict =>
        conflict.columns(['user_id', 'token_hash']).doUpdateSet({ seen_at: seen.seen_at }),
      )
      .execute()
    if (known.length === 0 || known.some(({ token_hash }) => token_hash === tokenHash)) return
    const device = nameDevice(call.header('user-agent') ?? '')
    const newDevice = { device, address: call.address, at: isoAfter(clock) }
    await outbox.add(transaction, newDeviceLetter(user, newDevice, signature), null)
  })
  outbox.wake()
}

/** A browser that several people use keeps its one mark. A mark that we did not give is never taken up. */
async function keepOrGiveToken(db: Database, { cookies }: Pick<Call<'public'>, 'cookies'>): Promise<string> {
  const given = cookies.get('browser')
  const row =
    given &&
    (await db
      .selectFrom('known_browsers')
      .select('user_id')
      .where('token_hash', '=', hashToken(given))
      .limit(1)
      .executeTakeFirst())
  const token = given && row ? given : newToken()
  // Set again, so that it lasts as long from today.
  cookies.set('browser', token)
  return token
}

export async function forgetUnseenBrowsers(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('known_browsers').where('seen_at', '<=', isoAfter(clock, -REMEMBERED)).execute()
}
