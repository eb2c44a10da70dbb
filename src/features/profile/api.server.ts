import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import { endSessionsOf } from '../../http/session.ts'
import { changeOwnPassword } from './change-own-password.server.ts'
import { profile } from './contract.ts'
import { endOwnSession, listOwnSessions, renameUser } from './store.server.ts'

/** What everyone who is signed in may change of themselves, and where they are signed in. */
export function serveProfile(door: Door): void {
  const { services } = door
  const { db, clock } = services

  serve(door, profile.change, async ({ name, password, currentPassword }, call) => {
    const { user } = call.session
    if (password && currentPassword) await changeOwnPassword(services, { password, currentPassword }, call)
    if (name === undefined || name === user.name) return { user }
    await renameUser(db, user.id, name)
    call.log('info', 'Auth', 'A user changed their own name')
    return { user: { ...user, name } }
  })

  serve(door, profile.sessions, async (_input, { session }) => ({
    sessions: await listOwnSessions(db, clock, session),
  }))

  serve(door, profile.endSession, async ({ id }, { session, log }) => {
    if (!(await endOwnSession(db, session.user.id, id))) refuse(404, 'This session has ended already')
    log('info', 'Auth', 'A user ended one of their sessions')
    return {}
  })

  serve(door, profile.endOtherSessions, async (_input, { session, log }) => {
    const count = await endSessionsOf(db, session.user.id, session.id)
    log('info', 'Auth', 'A user signed out everywhere else', { sessions: count })
    return {}
  })
}
