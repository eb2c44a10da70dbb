import { deleteSessionsOf } from '../../auth/session.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { changeOwnPassword } from './change-own-password.server.ts'
import { profile } from './contract.ts'
import { deleteOwnSession, listOwnSessions, renameUser } from './store.server.ts'

/** Serves the calls with which users change their own profile and end their own sessions. */
export function serveProfile(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, profile.change, async ({ name, password, currentPassword }, call) => {
    const { user } = call.session
    if (password && currentPassword) await changeOwnPassword(services, { password, currentPassword }, call)
    if (name === undefined || name === user.name) return { user }
    await renameUser(db, user.id, name)
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
