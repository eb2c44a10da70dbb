import { newApiToken } from '../../src/auth/api-token.ts'
import type { InboxGrant } from '../../src/auth/permissions.ts'
import { hashToken } from '../../src/auth/session.ts'
import { newId } from '../../src/database/id.ts'
import { days, isoAfter, systemClock } from '../../src/platform/clock.ts'
import { type DatabaseLocation, openUnmigratedDatabase } from '../faults/inspect-database.ts'

/**
 * Adds an editor beside a running product. Each may publish only so much in an hour.
 * @returns a token: a request with it needs neither a sign-in nor an email
 */
export async function addEditor(where: DatabaseLocation, inbox: InboxGrant = 'none'): Promise<string> {
  const db = await openUnmigratedDatabase(where)
  const id = newId(systemClock())
  const created_at = isoAfter(systemClock)
  const person = { id, email: `${id}@agency.test`, name: 'Robin Editor', role: 'editor' } as const
  await db
    .insertInto('users')
    .values({
      ...person,
      inbox,
      password_hash: '',
      is_default: 0,
      email_verified: 1,
      locked_until: null,
      created_at,
    })
    .execute()
  const token = newApiToken('api')
  const row = { id: newId(systemClock()), token_hash: hashToken(token), user_id: id, description: 'Edits' }
  await db
    .insertInto('api_tokens')
    .values({ ...row, created_at, expires_at: isoAfter(systemClock, days(1)), token_type: 'api' })
    .execute()
  await db.destroy()
  return token
}
