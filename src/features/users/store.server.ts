import { deleteAttachments } from '../../attachments/store.server.ts'
import { endEverySignIn } from '../../auth/change-account.ts'
import { effectiveGrant, storedGrant } from '../../auth/permissions.ts'
import { newId } from '../../database/id.ts'
import { paged } from '../../database/paged.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inPages } from '../../erasure/in-pages.ts'
import { type Clock, days, isoAfter } from '../../platform/clock.ts'
import type { NewUser, UserAccount, UserQuery } from './contract.ts'

export async function listUsers(db: Database, { limit, cursor }: UserQuery) {
  const after = cursor === undefined ? undefined : [cursor]
  const users = db.selectFrom('users').selectAll()
  const { rows, last } = await paged(users, { order: ['id'], direction: 'asc', after, limit })
  return { users: rows.map(toAccount), ...(last && { nextCursor: last.id }) }
}

export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @param email in its canonical form */
export async function isEmailTaken(transaction: Database, email: string): Promise<boolean> {
  const row = await transaction.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

export async function isLastAdmin(transaction: Database, { id, role }: UserRow): Promise<boolean> {
  if (role !== 'admin') return false
  const another = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return another === undefined
}

export async function insertUser(
  transaction: Database,
  clock: Clock,
  { name, email, role, inbox }: Omit<NewUser, 'password'>,
  passwordHash: string,
): Promise<UserRow> {
  return await transaction
    .insertInto('users')
    .values({
      id: newId(clock()),
      name,
      email,
      role,
      inbox: storedGrant(role, inbox),
      password_hash: passwordHash,
      is_default: 0,
      email_verified: 0,
      locked_until: null,
      created_at: isoAfter(clock),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateUser(
  transaction: Database,
  id: string,
  change: Partial<Pick<UserRow, 'name' | 'email' | 'role' | 'inbox' | 'email_verified'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await transaction.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Takes everything from a user by which they could sign in or use the API: only an admin can give it back. */
export async function takeAccess(transaction: Database, id: string): Promise<void> {
  await endEverySignIn(transaction, id)
  await transaction.deleteFrom('api_tokens').where('user_id', '=', id).execute()
  await transaction.deleteFrom('email_verifications').where('user_id', '=', id).execute()
  // An address that is not verified gets no link for a new password.
  await transaction
    .updateTable('users')
    .set({ ...NO_ACCESS, email_verified: 0 })
    .where('id', '=', id)
    .execute()
}

/** Deletes a user unless they have got access again, and by foreign key what is left of theirs. @returns whether it did */
export async function deleteUserWithoutAccess(transaction: Database, id: string): Promise<boolean> {
  const user = transaction.deleteFrom('users').where('id', '=', id)
  const { numDeletedRows } = await user.where(eb => eb.and(NO_ACCESS)).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  // What they were attaching to their drafts.
  await deleteAttachments(transaction, { by: 'entry_id', ids: [id] })
  return true
}

export async function countWork(db: Database, id: string) {
  const messages = db.selectFrom('messages').where('assignee_id', '=', id)
  const enquiries = messages.where('status', 'in', ['open', 'waiting'])
  const drafts = db.selectFrom('drafts').where('user_id', '=', id)
  const files = db.selectFrom('attachments').where('kind', '=', 'draft').where('entry_id', '=', id)
  // A draft may have files and no text.
  const withoutText = files.where(
    'message_id',
    'not in',
    drafts.where('kind', '=', 'reply').select('message_id'),
  )
  const [ofEnquiries, ofDrafts, ofFiles] = await Promise.all([
    enquiries.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow(),
    drafts.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow(),
    withoutText.select(eb => eb.fn.count('message_id').distinct().as('count')).executeTakeFirstOrThrow(),
  ])
  return { enquiries: Number(ofEnquiries.count), drafts: Number(ofDrafts.count) + Number(ofFiles.count) }
}

/** Keeps the name of a user who is about to be deleted, for the history of what they did. */
export async function keepName(transaction: Database, clock: Clock, id: string): Promise<void> {
  const { name } = (await findUser(transaction, id)) ?? { name: '' }
  const former = { id, name, deleted_at: isoAfter(clock) }
  await transaction
    .insertInto('former_users')
    .values(former)
    .onConflict(conflict => conflict.column('id').doUpdateSet(former))
    .execute()
}

export function isInvited({ password_hash }: Pick<UserRow, 'password_hash'>): boolean {
  return password_hash === NO_PASSWORD
}

/** Matches no password. */
export const NO_PASSWORD = ''

const NO_ACCESS = { role: 'viewer', inbox: 'none', password_hash: NO_PASSWORD } as const

/** Shows the grant in effect. */
export function toAccount(user: UserRow): UserAccount {
  const { id, email, name, role, inbox, email_verified } = user
  return {
    id,
    email,
    name,
    role,
    inbox: effectiveGrant(role, inbox),
    emailVerified: email_verified === 1,
    ...(isInvited(user) && { isInvited: true }),
  }
}

/** Rows that one statement reads, so that on SQLite nobody waits for it. */
const AT_ONCE = 1000

interface Naming {
  readonly id: string
  /** Ids of users, among other texts. */
  readonly names: readonly (string | null)[]
}

/**
 * Deletes the names of deleted users to which no entry, note or log entry refers any more. Those of the last day stay: what
 * they did may still be on its way into the log.
 */
export async function deleteUnusedNames(db: Database, clock: Clock): Promise<void> {
  const former = await db
    .selectFrom('former_users')
    .select('id')
    .where('deleted_at', '<', isoAfter(clock, -days(1)))
    .execute()
  const unused = new Set(former.map(({ id }) => id))
  for (const read of [readEntries, readNotes, readLogs])
    if (unused.size > 0) await removeNamed(unused, after => read(db, after))
  if (unused.size > 0)
    await db
      .deleteFrom('former_users')
      .where('id', 'in', [...unused])
      .execute()
}

/** Ends as soon as each is found. */
async function removeNamed(unused: Set<string>, read: (after: string) => Promise<Naming[]>) {
  for await (const rows of inPages(read, row => row.id)) {
    for (const { names } of rows) for (const name of names) if (name !== null) unused.delete(name)
    if (unused.size === 0) return
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function readEntries(db: Database, after: string): Promise<Naming[]> {
  const entries = db.selectFrom('entries').select(['id', 'author_id', 'detail'])
  const rows = await entries.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, author_id, detail }) => ({ id, names: [author_id, detail] }))
}

async function readNotes(db: Database, after: string): Promise<Naming[]> {
  const notes = db.selectFrom('notes').select(['id', 'author_id'])
  const rows = await notes.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, author_id }) => ({ id, names: [author_id] }))
}

async function readLogs(db: Database, after: string): Promise<Naming[]> {
  const logs = db.selectFrom('logs').select(['id', 'user_id'])
  const rows = await logs.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
  return rows.map(({ id, user_id }) => ({ id, names: [user_id] }))
}
