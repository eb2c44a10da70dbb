import { isoAfter } from '../../clock.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { changeMessage } from './change.server.ts'
import { messages } from './contract.ts'
import { conversation } from './conversation-contract.ts'
import { countViews } from './counts.server.ts'
import { listFilterOf } from './filter.server.ts'
import { forwardMessage } from './forward-message.server.ts'
import { retryEmail } from './notification-status.server.ts'
import { listMessages, openMessage, readEntries } from './read.server.ts'
import { selectMessages } from './select-messages.server.ts'
import { listColleagues } from './staff.server.ts'
import { countUnread, deleteMessage, findMessage, markMessageRead } from './store.server.ts'
import { listTags } from './tags.server.ts'

const NOT_FOUND = 'This enquiry no longer exists'

export function serveMessages(router: ApiRouter): void {
  const { db, clock, outbox, erased, mailboxSweep, content } = router.services

  serve(router, messages.list, async ({ limit, cursor, ...filter }, { user }) => {
    const [page, unread] = await Promise.all([
      listMessages(db, listFilterOf(filter, user.id, clock), { limit, cursor }),
      countUnread(db),
    ])
    return { ...page, unread }
  })

  // Before the call for one message, whose path these have.
  serve(router, messages.rows, async ({ ids }) => {
    const shown = await selectMessages(db, ids.split(','))
    return { messages: shown.map(({ message }) => message) }
  })

  serve(router, messages.counts, async (_input, { user }) => await countViews(db, user.id, isoAfter(clock)))

  serve(router, messages.options, async () => {
    const [staff, tags] = await Promise.all([listColleagues(db), listTags(db)])
    return { staff, tags, timeZone: content.read().content.company.timeZone }
  })

  serve(router, messages.read, async ({ id, ...filter }, { user }) => {
    const open = await openMessage(db, id, listFilterOf(filter, user.id, clock), user.id)
    return open ?? throwHttpError(404, NOT_FOUND)
  })

  serve(router, conversation.entries, async ({ id, cursor }) => {
    return (await readEntries(db, id, cursor)) ?? throwHttpError(404, NOT_FOUND)
  })

  serve(router, messages.change, async (change, { user, log }) => {
    const { message } = await changeMessage(router.services, change, user.id)
    const { id, ...fields } = change
    log('info', 'API', 'Message changed', { messageId: id, fields: Object.keys(fields) })
    return { message }
  })

  serve(router, messages.markRead, async ({ id }, { user }) => {
    if (!(await markMessageRead(db, clock, id, user.id))) throwHttpError(404, NOT_FOUND)
    return {}
  })

  serve(router, messages.forward, async (forwarding, { user, log }) => {
    return { version: await forwardMessage(router.services, forwarding, user, log) }
  })

  serve(router, messages.retry, async ({ id }, { user, log }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, NOT_FOUND)
    if (!(await retryEmail(db, clock, id, user.id)))
      throwHttpError(409, 'The email about this message has not failed')
    outbox.wake()
    log('info', 'EmailService', 'Failed email queued again', { messageId: id })
    return {}
  })

  serve(router, messages.delete, async ({ id }, { log }) => {
    if (!(await deleteMessage(db, clock, erased, { id }))) throwHttpError(404, NOT_FOUND)
    mailboxSweep.request()
    log('info', 'API', 'Message deleted', { messageId: id })
    return {}
  })
}
