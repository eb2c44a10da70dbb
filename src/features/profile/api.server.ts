import { deleteSessionsOf } from '../../auth/session.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { changeOwnPassword } from './change-own-password.server.ts'
import { profile } from './contract.ts'
import { endOwnSession, listOwnSessions, renameUser } from './store.server.ts'

/** What everyone who is signed in may change of themselves, and where they are signed in. */
export function serveProfile(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, profile.change, async ({ name, password, currentPassword }, call) => {
    const { user } = call.session
    if (password && currentPassword) await changeOwnPassword(services, { password, currentPassword }, call)
    if (name === undefined || name === user.name) return { user }
    await renameUser(db, user.id, name)
    call.log('info', 'Auth', 'A user changed their own name')
    return { user: { ...user, name } }
  })

  serve(router, profile.sessions, async (_input, { session }) => ({
    sessions: await listOwnSessions(db, clock, session),
  }))

  serve(router, profile.endSession, async ({ id }, { session, log }) => {
    if (!(await endOwnSession(db, session.user.id, id))) throwHttpError(404, 'This session has ended already')
    log('info', 'Auth', 'A user ended one of their sessions')
    return {}
  })

  serve(router, profile.endOtherSessions, async (_input, { session, log }) => {
    const count = await deleteSessionsOf(db, session.user.id, session.id)
    log('info', 'Auth', 'A user signed out everywhere else', { sessions: count })
    return {}
  })
}
