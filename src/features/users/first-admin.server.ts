import { randomInt } from 'node:crypto'
import { hashPassword } from '../../auth/password.ts'
import { canonicalEmail } from '../../auth/staff-email.ts'
import type { Config } from '../../config.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'

/**
 * Creates the default admin when there are no users.
 * @returns the generated password, to be printed once; null when no admin was created or the password was configured.
 */
export async function createFirstAdmin(
  db: Database,
  clock: Clock,
  { adminEmail, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<string | null> {
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return null
  const password = adminPassword ?? randomPassword()
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('users')
    .values({
      id: newId(clock()),
      email: canonicalEmail(adminEmail),
      name: 'Administrator',
      role: 'admin',
      password_hash: await hashPassword(password),
      is_default: 1,
      email_verified: 1,
      locked_until: null,
      created_at: isoAfter(clock),
    })
    // When two nodes start concurrently on an empty database, one creates the admin.
    .onConflict(conflict => conflict.column('email').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n && adminPassword === null ? password : null
}

const LOWER = 'abcdefghjkmnpqrstuvwxyz'
const UPPER = 'ABCDEFGHJKMNPQRSTUVWXYZ'
const DIGITS = '23456789'

/** Twenty characters that are easy to distinguish, about 105 bits, and valid under the product's own password rules. */
export function randomPassword(): string {
  const groups = [UPPER, LOWER, DIGITS, LOWER + UPPER + DIGITS].map(alphabet =>
    Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join(''),
  )
  return `${groups.join('-')}!`
}
