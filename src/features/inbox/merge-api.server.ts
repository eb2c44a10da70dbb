import { type ApiRouter, serve } from '../../http/api-router.ts'
import { mergeInto, undoMerge } from './merge.server.ts'
import { merge } from './merge-contract.ts'

/** Serves the calls that make one conversation of two messages. */
export function serveMerge(router: ApiRouter): void {
  const { services } = router

  serve(router, merge.into, async ({ id, into, replyTo }, { user, log }) => {
    const { isSameAddress } = await mergeInto(services, { id, into, replyTo }, user.id)
    log('info', 'API', 'Message merged', { messageId: id, into, isSameAddress })
    return {}
  })

  serve(router, merge.undo, async ({ id }, { user, log }) => {
    await undoMerge(services, id, user.id)
    log('info', 'API', 'Merge undone', { messageId: id })
    return {}
  })
}
