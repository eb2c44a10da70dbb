import { newId } from '../../src/database/id.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Database, UserRow } from '../../src/database/tables.ts'
import { isoAfter, systemClock } from '../../src/platform/clock.ts'
import { STAFF_PASSWORD, STAFF_PASSWORD_HASH } from '../support/staff.ts'
import type { Installation } from './installation.ts'

/** A member of staff with an address of their own, written while the product runs. */
export async function addStaff(
  installation: Installation,
  name: string,
  change: Partial<Pick<UserRow, 'role' | 'inbox' | 'email_verified'>> = {},
) {
  const id = newId(systemClock())
  const email = `${name.toLowerCase().replaceAll(' ', '.')}.${id.slice(-6)}@agency.test`
  const row = {
    id,
    email,
    name,
    password_hash: STAFF_PASSWORD_HASH,
    is_default: 0,
    locked_until: null,
  } as const
  await withDatabase(installation, db =>
    db
      .insertInto('users')
      .values({ ...row, role: 'viewer', email_verified: 1, created_at: isoAfter(systemClock), ...change })
      .execute(),
  )
  return { id, name, email, password: STAFF_PASSWORD }
}

/** Does something in the database of an installation that runs. */
export async function withDatabase<T>(
  { data }: Installation,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(data)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
