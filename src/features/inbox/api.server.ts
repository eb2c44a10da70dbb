import { minutes, seconds } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import { DeliveryError } from '../../mail/mail.ts'
import { messages } from './contract.ts'
import { forwardEmail } from './forward.server.ts'
import { retryEmail } from './notification-status.server.ts'
import {
  countUnread,
  deleteMessage,
  findMessage,
  listMessages,
  markMessageRead,
  openMessage,
} from './store.server.ts'

/** How long an admin waits for the mail provider's reply to a forwarded message. */
const FORWARD_TIMEOUT = seconds(10)
/** So that a double click sends one email. */
const FORWARDS_PER_MESSAGE = { name: 'forwards', count: 1, per: minutes(1) }

const NOT_FOUND = 'This message no longer exists'

export function serveMessages(router: ApiRouter): void {
  const { db, clock, mail, outbox, settings, rateLimiter, emailSignature, erased, mailboxSweep } =
    router.services

  serve(router, messages.list, async query => {
    const [page, unread] = await Promise.all([listMessages(db, query), countUnread(db)])
    return { ...page, unread }
  })

  serve(router, messages.read, async ({ id, ...filter }) => {
    return (await openMessage(db, id, filter)) ?? throwHttpError(404, NOT_FOUND)
  })

  serve(router, messages.markRead, async ({ id }) => {
    if (!(await markMessageRead(db, id))) throwHttpError(404, NOT_FOUND)
    return {}
  })

  serve(router, messages.forward, async ({ id }, { user, log }) => {
    const message = (await findMessage(db, id)) ?? throwHttpError(404, NOT_FOUND)
    const { form_email: to, site_name: siteName } = await settings.publicValues()
    await rateLimiter.consume(FORWARDS_PER_MESSAGE, id)
    try {
      const email = forwardEmail(message, to, user.name, emailSignature(siteName))
      // The file name in the local mailbox holds the message's id, so that deleting the message deletes the email too.
      await mail.send(email, FORWARD_TIMEOUT, `${newId(clock())}.${id}`)
    } catch (error) {
      await rateLimiter.refund(FORWARDS_PER_MESSAGE, id)
      if (!(error instanceof DeliveryError)) throw error
      log('error', 'EmailService', 'Message could not be forwarded', {
        messageId: id,
        ...describeError(error),
      })
      throwHttpError(503, 'Failed to forward message', { retryAfter: 60 })
    }
    // A forwarded message has been dealt with: the retention job must not erase it as an unread one.
    await markMessageRead(db, id)
    log('info', 'EmailService', 'Message forwarded', { messageId: id })
    return {}
  })

  serve(router, messages.retry, async ({ id }, { log }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, NOT_FOUND)
    if (!(await retryEmail(db, clock, id))) throwHttpError(409, 'The email about this message has not failed')
    outbox.wake()
    log('info', 'EmailService', 'Failed email queued again', { messageId: id })
    return {}
  })

  serve(router, messages.delete, async ({ id }, { log }) => {
    if (!(await deleteMessage(db, erased, id))) throwHttpError(404, NOT_FOUND)
    mailboxSweep.request()
    log('info', 'API', 'Message deleted', { messageId: id })
    return {}
  })
}
