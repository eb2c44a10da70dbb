import { minutes, seconds } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import { describeError } from '../../log.ts'
import { MailRefused } from '../../mail/mail.ts'
import { messages } from './contract.ts'
import { forwardLetter } from './forward.server.ts'
import { retryLetter } from './letter.server.ts'
import {
  countUnread,
  deleteMessage,
  findMessage,
  listMessages,
  markMessageRead,
  openMessage,
} from './store.server.ts'

/** A person is waiting for the provider's answer. */
const FORWARD_PATIENCE = seconds(10)
/** A double click sends one letter. */
const FORWARDS_PER_MESSAGE = { name: 'forwards', count: 1, per: minutes(1) }

const GONE = 'This message no longer exists'

export function serveMessages(door: Door): void {
  const { db, clock, mail, outbox, settings, limits, signature, erased, mailboxSweep } = door.services

  serve(door, messages.list, async query => {
    const [page, unread] = await Promise.all([listMessages(db, query), countUnread(db)])
    return { ...page, unread }
  })

  serve(door, messages.read, async ({ id, ...filter }) => {
    return (await openMessage(db, id, filter)) ?? refuse(404, GONE)
  })

  serve(door, messages.markRead, async ({ id }) => {
    if (!(await markMessageRead(db, id))) refuse(404, GONE)
    return {}
  })

  serve(door, messages.forward, async ({ id }, { user, log }) => {
    const message = (await findMessage(db, id)) ?? refuse(404, GONE)
    const { form_email: to, site_name: siteName } = await settings.read()
    await limits.spend(FORWARDS_PER_MESSAGE, id)
    try {
      const email = forwardLetter(message, to, user.name, signature(siteName))
      // The local mailbox knows by this id what the email is about.
      await mail.send(email, FORWARD_PATIENCE, `${newId(clock())}.${id}`)
    } catch (error) {
      await limits.giveBack(FORWARDS_PER_MESSAGE, id)
      if (!(error instanceof MailRefused)) throw error
      log('error', 'EmailService', 'A message could not be forwarded', {
        messageId: id,
        ...describeError(error),
      })
      refuse(503, 'Failed to forward message', { retryAfter: 60 })
    }
    // Somebody has dealt with it: it must not be erased as one that nobody has read.
    await markMessageRead(db, id)
    log('info', 'EmailService', 'A message was forwarded', { messageId: id })
    return {}
  })

  serve(door, messages.retry, async ({ id }, { log }) => {
    if (!(await findMessage(db, id))) refuse(404, GONE)
    if (!(await retryLetter(db, clock, id))) refuse(409, 'The letter of this message has not failed')
    outbox.wake()
    log('info', 'EmailService', 'A letter that had failed is sent again', { messageId: id })
    return {}
  })

  serve(door, messages.delete, async ({ id }, { log }) => {
    if (!(await deleteMessage(db, erased, id))) refuse(404, GONE)
    mailboxSweep.request()
    log('info', 'API', 'A message was deleted', { messageId: id })
    return {}
  })
}
