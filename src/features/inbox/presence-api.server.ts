import { isGranted } from '../../auth/permissions.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { deletePresence, listOthers, recordPresence } from './presence.server.ts'
import { presence } from './presence-contract.ts'
import { findMessage } from './store.server.ts'

/** Serves the calls by which a browser says who is looking at a message. */
export function servePresence(router: ApiRouter): void {
  const { services } = router
  const { db, clock } = services

  serve(router, presence.look, async ({ id, isWriting = false }, { user, permissions }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, 'This enquiry no longer exists')
    const looking = { messageId: id, userId: user.id }
    const writes = isWriting && isGranted('inbox:answer', permissions)
    await recordPresence(services, looking, writes)
    return { others: await listOthers(db, clock, looking) }
  })

  serve(router, presence.leave, async ({ id }, { user }) => {
    await deletePresence(db, { messageId: id, userId: user.id })
    return {}
  })
}
