import { inTransaction } from '../../database/transaction.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { keyFromHeader } from '../../http/idempotency.ts'
import { conversation } from './conversation-contract.ts'
import { saveDraft } from './drafts.server.ts'
import { addEntry, lockMessage, recordActivity } from './entries.server.ts'
import { readEntry } from './history.server.ts'
import { sendReply } from './reply.server.ts'
import { retryReply, undoReply } from './undo-reply.server.ts'
import { updateDue } from './update-due.server.ts'

/** Serves the calls by which staff answer a visitor. Notes are served apart: `notes-api.server.ts`. */
export function serveConversation(router: ApiRouter): void {
  const { services } = router
  const { db, clock, outbox } = services

  serve(router, conversation.reply, async (reply, { user, log, header }) => {
    const { id, body, cc = [], status = null } = reply
    const content = JSON.stringify([id, body, cc, status])
    const idempotencyKey = keyFromHeader(`reply ${user.id}`, header('idempotency-key'), content)
    return await sendReply(services, reply, { user, log, idempotencyKey })
  })

  serve(router, conversation.undoReply, async (reply, { user, log }) => {
    const body = await undoReply(services, reply, user.id)
    log('info', 'API', 'Reply taken back', { messageId: reply.id, entryId: reply.replyId })
    return { body }
  })

  serve(router, conversation.retryReply, async (reply, { user, log }) => {
    await retryReply(services, reply, user.id)
    outbox.wake()
    log('info', 'API', 'Failed reply queued again', { messageId: reply.id, entryId: reply.replyId })
    return {}
  })

  serve(router, conversation.addCall, async ({ id, body }, { user }) => {
    const entry = await inTransaction(db, async transaction => {
      if (!(await lockMessage(transaction, id))) throwHttpError(404, 'This message no longer exists')
      await recordActivity(transaction, clock, id)
      const call = { kind: 'call', author_id: user.id, body } as const
      const entry = await addEntry(transaction, clock, id, call)
      await updateDue(transaction, services.content, id)
      return await readEntry(transaction, entry.id)
    })
    return { entry }
  })

  serve(router, conversation.saveDraft, async (change, { user }) => {
    await saveDraft(db, clock, change, user.id)
    return {}
  })
}
