import { findConsumerGuide } from '../../../content/site-content.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { keyFromHeader } from '../../../http/idempotency.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { revokeLinks } from '../../status/tokens.server.ts'
import { saveDraft } from '../drafts/drafts.server.ts'
import { addEntry, addEvent, addOnce, assertRoom, lockForWork } from '../history/entries.server.ts'
import { readEntry } from '../history/history.server.ts'
import { sendReply } from '../replies/reply.server.ts'
import { retryReply, undoReply } from '../replies/undo-reply.server.ts'
import { updateDue, updateFirstReply } from '../reply-clock/update-due.server.ts'
import { conversation } from './contract.ts'

/** Serves the calls by which staff answer a visitor. Notes are served apart: `notes.server.ts`. */
export function serveConversation(router: ApiRouter): void {
  const { services } = router
  const { db, content, outbox } = services

  serve(router, conversation.reply, async (reply, { user, log, header }) => {
    const { id, body, cc = [], status = null, attachments = [] } = reply
    const content = JSON.stringify([id, body, cc, status, ...attachments])
    const idempotencyKey = keyFromHeader(`reply ${user.id}`, header('idempotency-key'), content)
    return await sendReply(services, reply, { user, log, idempotencyKey })
  })

  serve(router, conversation.sendConsumerGuide, async ({ id, lastSeq }, { user, log, header }) => {
    const content = JSON.stringify([id, 'consumer-guide'])
    const idempotencyKey = keyFromHeader(`consumer guide ${user.id}`, header('idempotency-key'), content)
    // With the address that the site has.
    const guide = findConsumerGuide(services.content.read().content.links)
    const body = services.textsFor(DEFAULT_LANGUAGE).emails.reply.consumerGuide(guide)
    const reply = { id, lastSeq, body, isConsumerGuide: true } as const
    return await sendReply(services, reply, { user, log, idempotencyKey })
  })

  serve(router, conversation.revokeLinks, async ({ id }, { user, log }) => {
    const revoked = await inTransaction(db, async transaction => {
      await lockForWork(transaction, id)
      // Also of what is merged into it, from whatever address: who revokes sees one conversation.
      const parts = transaction.selectFrom('messages').select('id').where('merged_into', '=', id)
      const ids = [id, ...(await parts.execute()).map(part => part.id)]
      const count = await revokeLinks(transaction, ids)
      const work = { transaction, clock: services.clock, byId: user.id }
      if (count > 0) await addEvent(work, id, 'links-revoked')
      return count
    })
    log('info', 'API', 'Links of a visitor revoked', { messageId: id, count: revoked })
    return { revoked }
  })

  serve(router, conversation.undoReply, async (reply, { user, log }) => {
    const undone = await undoReply(services, reply, user.id)
    log('info', 'API', 'Reply taken back', { messageId: reply.id, entryId: reply.replyId })
    return undone
  })

  serve(router, conversation.retryReply, async (reply, { user, log }) => {
    const version = await retryReply(services, reply, user.id)
    outbox.wake()
    log('info', 'API', 'Failed reply queued again', { messageId: reply.id, entryId: reply.replyId })
    return { version }
  })

  serve(router, conversation.addCall, async (input, call) => {
    const { direction, outcome, minutes } = input
    const isPlain = !direction && outcome === 'reached' && minutes === undefined
    const facts = isPlain ? [] : [direction, outcome, minutes]
    const addition = { kind: 'call', input, facts } as const
    const added = await addOnce(services, addition, call, async (work, id, message) => {
      await assertRoom(work.transaction, message.id, input.body)
      const entry = {
        id,
        kind: 'call',
        author_id: call.user.id,
        body: input.body,
        call_direction: direction ?? null,
        call_outcome: outcome,
        call_minutes: minutes ?? null,
      } as const
      await addEntry(work, message.id, entry)
      if (message.first_reply_week === null) await updateFirstReply({ ...work, content }, message)
      await updateDue({ ...work, content }, message.id)
    })
    const entry = (await readEntry(db, added.id)) ?? throwHttpError(404, 'This enquiry no longer exists')
    return { entry, version: added.version }
  })

  serve(router, conversation.saveDraft, async (change, { user }) => {
    await saveDraft(services, change, user.id)
    return {}
  })
}
