import { newApiToken } from '../../src/auth/api-token.ts'
import { createSession, hashToken } from '../../src/auth/session.ts'
import { hashCode } from '../../src/auth/six-digits.ts'
import { newId } from '../../src/database/id.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createPending, newStoredCode } from '../../src/features/sign-in/store.server.ts'
import { isoAfter, minutes } from '../../src/platform/clock.ts'
import { storeMessages } from '../support/messages.ts'
import { STAFF_PASSWORD_HASH } from '../support/staff.ts'
import type { TestApp } from '../support/test-app.ts'
import type { Role } from './requests.ts'

/** Credentials of each kind of caller, and rows that requests may change or delete. */
export interface Accounts {
  readonly cookies: Readonly<Record<Role, string>>
  readonly tokens: Readonly<Record<'viewer' | 'admin', string>>
  /** The ids that a request to this path may name. */
  idsFor(path: string, parameter: string): readonly string[]
}

/** Creates accounts, messages and tokens, and resets the settings. */
export async function seedAccounts(testApp: TestApp): Promise<Accounts> {
  const { db } = testApp.services
  // In one transaction, since each commit waits for the disk.
  return await inTransaction(db, async transaction => {
    await transaction.deleteFrom('settings').execute()
    const services = { ...testApp.services, db: transaction }
    return await seedRows({ ...testApp, services })
  })
}

async function seedRows(testApp: TestApp): Promise<Accounts> {
  const { db, clock, keys } = testApp.services

  async function createUser(role: 'viewer' | 'admin') {
    const id = newId(clock())
    const times = { created_at: isoAfter(clock), locked_until: null }
    const flags = { is_default: 0, email_verified: 1 } as const
    const account = { email: `${id}@agency.test`, name: 'Robin', role, password_hash: STAFF_PASSWORD_HASH }
    await db
      .insertInto('users')
      .values({ id, ...account, ...flags, ...times })
      .execute()
    return id
  }

  async function createToken(userId: string) {
    const token = newApiToken('api')
    const id = newId(clock())
    const times = { created_at: isoAfter(clock), expires_at: isoAfter(clock, minutes(60)) }
    const row = { id, token_hash: hashToken(token), user_id: userId, description: 'Fuzz', token_type: 'api' }
    await db
      .insertInto('api_tokens')
      .values({ ...row, ...times, token_type: 'api' })
      .execute()
    return { id, token }
  }

  const [viewer, admin, victim] = [
    await createUser('viewer'),
    await createUser('admin'),
    await createUser('viewer'),
  ]
  const [viewerToken, adminToken, victimToken] = [
    await createToken(viewer),
    await createToken(admin),
    await createToken(victim),
  ]
  const messages = await storeMessages(testApp, [{}, { phone: null, service: 'family' }, { is_read: 1 }])
  await createSession(db, clock, admin, 'Another browser')
  const pages = await db.selectFrom('content_documents').select('id').limit(20).execute()
  const documents = pages.map(({ id }) => id)
  const owned = await db.selectFrom('sessions').select('id').where('user_id', '=', admin).execute()
  const sessions = owned.map(({ id }) => id)
  const { id: firstAdmin } = await db
    .selectFrom('users')
    .select('id')
    .where('is_default', '=', 1)
    .executeTakeFirstOrThrow()
  const pending = await createPending(
    db,
    clock,
    victim,
    newStoredCode(clock, hashCode(keys.signInCode, '246810')),
  )
  return {
    cookies: {
      anonymous: '',
      pending: `__Host-pending=${pending}`,
      viewer: `__Host-session=${await createSession(db, clock, viewer, 'Fuzz')}`,
      admin: `__Host-session=${await createSession(db, clock, admin, 'Fuzz')}`,
    },
    tokens: { viewer: viewerToken.token, admin: adminToken.token },
    idsFor(path, parameter) {
      if (parameter === 'userId' || path.startsWith('/api/users')) return [victim, firstAdmin]
      if (path.startsWith('/api/admin/tokens')) return [victim, firstAdmin, victimToken.id]
      if (path.startsWith('/api/content')) return documents
      return path.includes('sessions') ? sessions : messages
    },
  }
}
