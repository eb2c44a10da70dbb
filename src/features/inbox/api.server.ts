import { sql } from 'kysely'
import { offMainThread } from '../../database/sqlite/reader-thread.ts'
import type { Database } from '../../database/tables.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { throwSessionRequired } from '../../http/request-checks.ts'
import { type Clock, hours, isoAfter, seconds } from '../../platform/clock.ts'
import { messages } from './contract.ts'
import { conversation } from './conversation/contract.ts'
import { readHistoryPage } from './history/history-page.server.ts'
import { listMerged } from './merging/merge.server.ts'
import { changeMessage } from './messages/change.server.ts'
import { MAX_READ, MAX_UNREAD_COUNTED, type ViewCounts } from './messages/filter-contract.ts'
import { forwardMessage } from './messages/forward.server.ts'
import { isOverdue, listFilterOf } from './messages/list.server.ts'
import { NOTICE_RETRIES_PER_USER, retryEmail } from './messages/notification-status.server.ts'
import { listMessages, openMessage } from './messages/read.server.ts'
import { selectMessages } from './messages/select-messages.server.ts'
import {
  countUnread,
  deleteMessage,
  findMessage,
  listColleagues,
  listTags,
  markMessageRead,
} from './messages/store.server.ts'
import { countNotices } from './notices/notices.server.ts'
import { countSaved } from './views/saved-views.server.ts'

const NOT_FOUND = 'This enquiry no longer exists'

export function serveMessages(router: ApiRouter): void {
  const { services } = router
  const { db, clock, outbox, mailboxSweep, content, rateLimiter } = services

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

  serve(router, messages.counts, async (_input, { user, header }) => ({
    ...(await countViews(db, clock, user.id)),
    // An admin makes the tokens of others, so a token reads no views.
    saved: header('authorization') === undefined ? await countSaved(db, clock, user.id) : {},
  }))

  serve(router, messages.options, async () => {
    const [staff, tags] = await Promise.all([listColleagues(db), listTags(db)])
    return { staff, tags, timeZone: content.read().content.company.timeZone }
  })

  serve(router, messages.read, async ({ id, ...filter }, { user }) => {
    const open = await openMessage(db, id, listFilterOf(filter, user.id, clock), user.id)
    return open ?? throwHttpError(404, NOT_FOUND)
  })

  serve(router, conversation.entries, async ({ id, cursor }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, NOT_FOUND)
    return await readHistoryPage(db, id, await listMerged(db, id), cursor)
  })

  serve(router, messages.change, async (change, { user, log, header }) => {
    // Where all that is written to a visitor goes from now on.
    if (change.email !== undefined && header('authorization') !== undefined) throwSessionRequired(user.id)
    const { message } = await changeMessage(services, change, user.id)
    const { id, ...fields } = change
    log('info', 'API', 'Message changed', { messageId: id, fields: Object.keys(fields) })
    return { message }
  })

  serve(router, messages.markRead, async ({ id }, { user }) => {
    if (!(await markMessageRead(services, id, user.id))) throwHttpError(404, NOT_FOUND)
    return {}
  })

  serve(router, messages.forward, async (forwarding, { user, log }) => {
    return { version: await forwardMessage(services, forwarding, user, log) }
  })

  serve(router, messages.retry, async ({ id }, { user, log }) => {
    if (!(await findMessage(db, id))) throwHttpError(404, NOT_FOUND)
    await rateLimiter.consume(NOTICE_RETRIES_PER_USER, user.id)
    if (!(await retryEmail(services, id, user.id)))
      throwHttpError(409, 'The email about this message has not failed')
    outbox.wake()
    log('info', 'EmailService', 'Failed email queued again', { messageId: id })
    return {}
  })

  serve(router, messages.delete, async ({ id }, { log }) => {
    if (!(await deleteMessage(services, { id }))) throwHttpError(404, NOT_FOUND)
    mailboxSweep.request()
    log('info', 'API', 'Message deleted', { messageId: id })
    return {}
  })
}

type CountedView = Exclude<keyof ViewCounts, 'snoozeEndsIn' | 'unread' | 'notices' | 'saved' | 'isPartial'>

/** Counts the messages of each view, as one member of staff sees them. */
async function countViews(db: Database, clock: Clock, userId: string): Promise<Omit<ViewCounts, 'saved'>> {
  const now = isoAfter(clock)
  const select = sql<Record<CountedView, number | string | null> & { snoozeEnds: string | null }>`select
    ${count(sql`status = 'open'`)} as open,
    ${count(sql`status = 'open' and assignee_id = ${userId}`)} as mine,
    ${count(sql`status = 'open' and assignee_id is null`)} as nobody,
    ${count(isOverdue(now))} as overdue,
    ${count(sql`status = 'waiting'`)} as waiting,
    ${count(sql`snoozed_until > ${now}`)} as snoozed,
    min(case when snoozed_until > ${now} then snoozed_until end) as "snoozeEnds",
    ${count(sql`status = 'spam'`)} as spam
    from (${some('open')} union all ${some('waiting')} union all ${some('spam')}) as counted`
  const { rows } = await offMainThread(() => select.execute(db))
  const read = (name: CountedView) => Number(rows[0]?.[name] ?? 0)
  const upTo = (name: CountedView) => Math.min(read(name), MAX_UNREAD_COUNTED)
  return {
    open: upTo('open'),
    mine: upTo('mine'),
    nobody: upTo('nobody'),
    overdue: upTo('overdue'),
    waiting: upTo('waiting'),
    snoozed: upTo('snoozed'),
    snoozeEndsIn: rows[0]?.snoozeEnds ? timeBetween(now, rows[0].snoozeEnds) : null,
    spam: upTo('spam'),
    unread: await countUnread(db),
    notices: await countNotices(db, clock, userId),
    isPartial: Math.max(read('open'), read('waiting')) >= MAX_READ,
  }
}

/** A browser takes no timer of a month. */
const LONGEST = hours(24)
/** Milliseconds in which the browsers of an office count again what ends at nine. */
const SPREAD = seconds(5)

const timeBetween = (now: string, end: string) =>
  Math.min(Date.parse(end) - Date.parse(now), LONGEST) + Math.ceil(Math.random() * SPREAD)

const count = (condition: ReturnType<typeof isOverdue>) => sql`sum(case when ${condition} then 1 else 0 end)`

/** An index has first whether a message was read, then its status. */
const some = (status: 'open' | 'waiting' | 'spam') => sql`select * from (
  select status, assignee_id, due_at, snoozed_until from messages
  where is_read in (0, 1) and status = ${status} limit ${MAX_READ}) as ${sql.ref(status)}`
