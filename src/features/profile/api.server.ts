import { passwordChangedEmail, readSignature } from '../../auth/account-emails.ts'
import { setPassword } from '../../auth/change-account.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { hashPassword, isPasswordRight, limitConcurrency } from '../../auth/password.ts'
import { deleteSessionsOf, describeDevice, isActive, renewSession, type Session } from '../../auth/session.ts'
import type { Database, UserRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { type Clock, minutes } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { profile } from './contract.ts'

export function serveProfile(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, profile.read, async (_input, { user }) => {
    const own = db.selectFrom('users').select(['signature', 'notice_emails']).where('id', '=', user.id)
    const row = await own.executeTakeFirst()
    return { signature: row?.signature ?? '', noticeEmails: row?.notice_emails === 1 }
  })

  serve(router, profile.change, async ({ name, signature, noticeEmails, ...passwords }, call) => {
    const { user } = call.session
    const { password, currentPassword } = passwords
    if (password && currentPassword) await changeOwnPassword(services, { password, currentPassword }, call)
    if (signature !== undefined) {
      await changeOwn(db, user.id, { signature: signature || null })
      call.log('info', 'Auth', 'Own signature changed')
    }
    if (noticeEmails !== undefined) await changeOwn(db, user.id, { notice_emails: noticeEmails ? 1 : 0 })
    if (name === undefined || name === user.name) return { user }
    await changeOwn(db, user.id, { name })
    call.log('info', 'Auth', 'Own name changed')
    return { user: { ...user, name } }
  })

  serve(router, profile.sessions, async (_input, { session }) => ({
    sessions: await listOwnSessions(db, clock, session),
  }))

  serve(router, profile.deleteSession, async ({ id }, { session, log }) => {
    if (!(await deleteOwnSession(db, session.user.id, id)))
      throwHttpError(404, 'This session has ended already')
    log('info', 'Auth', 'Own session ended')
    return {}
  })

  serve(router, profile.deleteOtherSessions, async (_input, { session, log }) => {
    const count = await deleteSessionsOf(db, session.user.id, session.id)
    log('info', 'Auth', 'Own other sessions ended', { sessions: count })
    return {}
  })
}

const WRONG_PASSWORDS_PER_ACCOUNT = { name: 'wrong current passwords', count: 5, per: minutes(15) }
const WRONG = 'This is not your current password'
const ENDED = 'Please sign in to continue'

/**
 * Sets a new password for a user who knows the current one. Deletes all other sessions and all trusted devices, and sends
 * an email to the owner. This browser stays signed in under a new session id. @throws {HttpError} 400, 401, 429
 */
async function changeOwnPassword(
  services: Services,
  { password, currentPassword }: { password: string; currentPassword: string },
  call: HandlerContext<'signed-in', 'denied'>,
): Promise<void> {
  const { db, clock, rateLimiter, outbox } = services
  const { user } = call.session
  // Counted as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
  await rateLimiter.consume(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const stored = await readPasswordHash(db, user.id)
  if (!(await limitConcurrency('staff', () => isPasswordRight(currentPassword, stored)))) {
    call.log('warning', 'Auth', 'Wrong current password entered')
    throwHttpError(400, WRONG, { errors: { currentPassword: WRONG } })
  }
  await rateLimiter.refund(WRONG_PASSWORDS_PER_ACCOUNT, user.id)
  const signature = await readSignature(services)
  const passwordHash = await hashPassword(password)
  const token = await inTransaction(db, async transaction => {
    const current = (await lockUser(transaction, user.id)) ?? throwHttpError(401, ENDED)
    await setPassword(transaction, user.id, passwordHash)
    await deleteSessionsOf(transaction, user.id, call.session.id)
    await outbox.add(transaction, passwordChangedEmail(current, signature), null)
    // An admin who meanwhile changed the password or the address ended this session, and their change wins.
    return (await renewSession(transaction, clock, call.session.id)) ?? throwHttpError(401, ENDED)
  })
  call.cookies.set('session', token)
  call.cookies.clear('device')
  call.log('info', 'Auth', 'Own password changed')
}

/** The user's active sessions: the current one first, then by last use. */
async function listOwnSessions(db: Database, clock: Clock, { id: ownId, user }: Session) {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user.id)
    .where(isActive(clock))
    .orderBy('last_seen_at', 'desc')
    .execute()
  const sessions = rows.map(({ id, user_agent, created_at, last_seen_at }) => ({
    id,
    device: describeDevice(user_agent),
    createdAt: created_at,
    lastSeenAt: last_seen_at,
    isCurrent: id === ownId,
  }))
  return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

async function deleteOwnSession(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function readPasswordHash(db: Database, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash
}

async function changeOwn(
  db: Database,
  userId: string,
  change: Partial<Pick<UserRow, 'name' | 'signature' | 'notice_emails'>>,
) {
  await db.updateTable('users').set(change).where('id', '=', userId).execute()
}
