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

/** A person is waiting for the provider's answer. */
const FORWARD_TIMEOUT = seconds(10)
/** A double click sends one letter. */
const FORWARDS_PER_MESSAGE = { name: 'forwards', count: 1, per: minutes(1) }

const GONE = 'This message no longer exists'

export function serveMessages(router: ApiRouter): void {
  const { db, clock, mail, outbox, settings, rateLimiter, emailSignature, erased, mailboxSweep } =
    router.services

  serve(router, messages.list, async query => {
    const [page, unread] = await Promise.all([listMessages(db, query), countUnread(db)])
    return { ...page, unread }
  })

  serve(router, messages.read, async ({ id, ...filter }) => {
    return (await openMessage(db, id, filter)) ?? throwHttpError(404, GONE)
  })

  serve(router, messages.markRead, async ({ id }) => {
    if (!(await markMessageRead(db, id))) throwHttpError(404, GONE)
    return {}
  })

  serve(router, messages.forward, async ({ id }, { user, log }) => {
    const message = (await findMessage(db, id)) ?? throwHttpError(404, GONE)
    const { form_email: to, site_name: siteName } = await settings.read()
    await rateLimiter.consume(FORWARDS_PER_MESSAGE, id)
    try {
      const email = forwardEmail(message, to, user.name, emailSignature(siteName))
      // The local mailbox knows by this id what the email is about.
      await mail.send(email, FORWARD_TIMEOUT, `${newId(clock())}.${id}`)
    } catch (error) {
      await rateLimiter.refund(FORWARDS_PER_MESSAGE, id)
      if (!(error instanceof DeliveryError)) throw error
      log('error', 'EmailService', 'A message could not be forwarded', {
        messageId: id,
        ...describeError(error),
      })
      throwHttpError(503, 'Failed to forward message', { retryAfter: 60 })
    }
    // Somebody has dealt with it: it must not be erased as one that nobody has read.
    await markMessageRead(db, id)
    log('info', 'EmailService', 'A message was forwarded', { messageId: id })
    return {}
  })

  serve(router, messages.retry, async ({ id }, { log }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, GONE)
    if (!(await retryEmail(db, clock, id))) throwHttpError(409, 'The letter of this message has not failed')
    outbox.wake()
    log('info', 'EmailService', 'A letter that had failed is sent again', { messageId: id })
    return {}
  })

  serve(router, messages.delete, async ({ id }, { log }) => {
    if (!(await deleteMessage(db, erased, id))) throwHttpError(404, GONE)
    mailboxSweep.request()
    log('info', 'API', 'A message was deleted', { messageId: id })
    return {}
  })
}
