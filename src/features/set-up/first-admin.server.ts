import { randomInt } from 'node:crypto'
import { hashPassword } from '../../auth/password.ts'
import { canonicalEmail } from '../../auth/staff-email.ts'
import type { Config } from '../../config.ts'
import { hasUsers } from '../../content/first-content.server.ts'
import { newId } from '../../database/id.ts'
import type { Database } from '../../database/tables.ts'
import { type Clock, isoAfter } from '../../platform/clock.ts'

/**
 * Creates the default admin when there are no users, as the environment says.
 * @returns the generated password, to be printed once; null when no admin was created or the password was configured.
 */
export async function createFirstAdmin(
  db: Database,
  clock: Clock,
  { adminEmail, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<string | null> {
  if (await hasUsers(db)) return null
  const password = adminPassword ?? randomPassword()
  const admin = { name: 'Administrator', email: adminEmail, passwordHash: await hashPassword(password) }
  const created = await insertDefaultAdmin(db, clock, admin)
  return created && adminPassword === null ? password : null
}

interface DefaultAdmin {
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

/** @returns the row; undefined when somebody else has the address, such as the admin of a node that started just before */
export async function insertDefaultAdmin(db: Database, clock: Clock, admin: DefaultAdmin) {
  return await db
    .insertInto('users')
    .values({
      id: newId(clock()),
      email: canonicalEmail(admin.email),
      name: admin.name,
      role: 'admin',
      password_hash: admin.passwordHash,
      is_default: 1,
      email_verified: 1,
      locked_until: null,
      created_at: isoAfter(clock),
    })
    .onConflict(conflict => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
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
