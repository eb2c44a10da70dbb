import { z } from 'zod'
import { effectiveGrant, inboxGrants, roles } from '../auth/permissions.ts'
import type { Database, UserRow } from '../database/tables.ts'
import { inTransaction, type Transaction } from '../database/transaction.ts'
import { parseRows } from '../erasure/in-pages.ts'
import { releaseMessages } from '../features/inbox/messages/release-messages.server.ts'
import { deleteUserWithoutAccess, keepName, takeAccess } from '../features/users/store.server.ts'
import { sentOnce } from '../mail/dispatch.ts'
import { RESTORED } from '../mail/outbox.ts'
import { type Clock, isoAfter } from '../platform/clock.ts'
import type { Source } from './row-snapshot.ts'
import {
  cancelSchedules,
  describeSettings,
  readPublications,
  readSettings,
  takeOverSettings,
} from './since-the-backup.ts'

/** The migration since which a user has these columns. */
const FIRST_WITH_GRANTS = '0015-inbox-grant'

const Account = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  inbox: z.enum(inboxGrants),
  password_hash: z.string(),
  email_verified: z.union([z.literal(0), z.literal(1)]),
})
const Token = z.object({ id: z.string() })

/** What the database that the restored one replaces had last. */
export type LastState = NonNullable<Awaited<ReturnType<typeof readLastState>>>

/** What the restore changed, and the accounts, tokens and settings that remain. Printed for the operator. */
export type AfterRestore = Awaited<ReturnType<typeof closeRestored>>

/** @returns null when the schema is too early to compare with */
export async function readLastState(source: Source) {
  if (source.migration < FIRST_WITH_GRANTS) return null
  const users = await parseRows(source.rows({ name: 'users', key: ['id'] }), Account)
  const tokens = await parseRows(source.rows({ name: 'api_tokens', key: ['id'] }), Token)
  const [settings, publications] = [await readSettings(source), await readPublications(source)]
  return { users, tokens: new Set(tokens.map(({ id }) => id)), settings, publications }
}

/**
 * Brings no access, setting or schedule back that ended since the backup, and sends no email that may have been sent: decision 061. Run it before
 * anybody can use the database. @param before null when the replaced database is not known: then no API token and no schedule is left
 * @param madeAt when the database was left, in ISO 8601: when its backup was made
 */
export async function closeRestored(
  db: Database,
  clock: Clock,
  before: LastState | null,
  madeAt = isoAfter(clock),
) {
  const users = await db.selectFrom('users').select(['id', 'is_default']).execute()
  const known = new Map(before?.users.map(user => [user.id, user]))
  // The default admin cannot be deleted: a database without them is of another installation, and says nothing of this one.
  const isComparable = users.some(({ id, is_default }) => is_default === 1 && known.has(id))
  const last = isComparable ? before : null
  const deleted = isComparable ? users.filter(({ id }) => !known.has(id)) : []
  const counts = await inTransaction(db, async transaction => {
    await endSignIns(transaction)
    return {
      deletedTokens: await deleteTokens(transaction, last?.tokens ?? new Set()),
      ...(await holdEmails(transaction)),
      /** What was scheduled. */
      cancelled: await cancelSchedules(transaction, clock, last?.publications ?? null, madeAt),
      /** Those that are not those of the backup; null when the replaced database is not known. */
      changedSettings: last && (await takeOverSettings(transaction, last.settings)),
      settings: await describeSettings(transaction),
    }
  })
  for (const { id } of deleted) await deleteAgain(db, clock, id)
  const changedUsers = isComparable ? await takeOver(db, known) : 0
  return { deletedUsers: deleted.length, changedUsers, ...counts, ...(await describeAccess(db)) }
}

/** Everybody needs their password and a code again, and visitors another link. */
async function endSignIns(transaction: Transaction) {
  for (const table of [
    'sessions',
    'pending_sign_ins',
    'trusted_devices',
    'known_browsers',
    'browser_login_attempts',
    'console_codes',
    'password_links',
    'password_requests',
    'email_verifications',
    // A link that was revoked since must not work again.
    'visitor_tokens',
    'visitor_codes',
    'visitor_requests',
  ] as const)
    await transaction.deleteFrom(table).execute()
  await transaction.updateTable('users').set({ lock_email_due_at: null }).execute()
}

async function deleteTokens(transaction: Transaction, kept: ReadonlySet<string>): Promise<number> {
  const tokens = await transaction.selectFrom('api_tokens').select('id').execute()
  const ended = tokens.filter(({ id }) => !kept.has(id))
  for (const { id } of ended) await transaction.deleteFrom('api_tokens').where('id', '=', id).execute()
  return ended.length
}

/**
 * Emails to visitors are given up at the next start, which shows it in the conversation. Links and codes are of no use any
 * more; notices to staff may come twice.
 */
async function holdEmails(transaction: Transaction) {
  const held = await transaction
    .updateTable('outbox')
    .set({ leased_until: RESTORED })
    .where('state', '=', 'waiting')
    .where('kind', 'in', sentOnce)
    .executeTakeFirst()
  const scheduled = await transaction
    .updateTable('scheduled_replies')
    .set({ held_because: 'It may have been sent before the restore, so check before you send it again' })
    .executeTakeFirst()
  await transaction.deleteFrom('acknowledgements').where('decided_at', 'is', null).execute()
  const ofAccounts = transaction.deleteFrom('outbox').where('kind', 'in', ['account', 'visitor'])
  const deleted = await ofAccounts.where('state', '=', 'waiting').executeTakeFirst()
  const heldEmails = Number(held.numUpdatedRows + scheduled.numUpdatedRows)
  return { heldEmails, deletedEmails: Number(deleted.numDeletedRows) }
}

/** As an admin did: what they had to do is nobody's, and the history has their name. */
async function deleteAgain(db: Database, clock: Clock, userId: string) {
  await inTransaction(db, transaction => takeAccess(transaction, userId))
  await releaseMessages({ db, clock }, { userId, isAll: true })
  await inTransaction(db, async transaction => {
    await keepName(transaction, clock, userId)
    await deleteUserWithoutAccess(transaction, userId)
  })
}

/** Gives users the address, password and permissions that they had last. @returns how many differ */
async function takeOver(db: Database, known: ReadonlyMap<string, LastState['users'][number]>) {
  return await inTransaction(db, async transaction => {
    const users = await transaction.selectFrom('users').selectAll().execute()
    const changes = users.flatMap(user => {
      const last = known.get(user.id)
      return last && differs(user, last) ? [last] : []
    })
    // One may have the address that was another's.
    for (const { id } of changes)
      await transaction.updateTable('users').set({ email: id }).where('id', '=', id).execute()
    for (const { id, ...change } of changes)
      await transaction.updateTable('users').set(change).where('id', '=', id).execute()
    return changes.length
  })
}

function differs(user: UserRow, last: LastState['users'][number]): boolean {
  return Object.keys(Account.shape).some(key => {
    const column = key as keyof typeof last
    return user[column] !== last[column]
  })
}

async function describeAccess(db: Database) {
  const users = await db.selectFrom('users').selectAll().orderBy('email').execute()
  const tokens = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(['api_tokens.description', 'api_tokens.expires_at', 'users.email'])
    .orderBy('api_tokens.id')
    .execute()
  return {
    users: users.map(
      ({ email, name, role, inbox }) =>
        `${name} <${email}>: ${role}, messages: ${effectiveGrant(role, inbox)}`,
    ),
    tokens: tokens.map(
      ({ description, email, expires_at }) => `${description}, of ${email}, until ${expires_at}`,
    ),
  }
}
