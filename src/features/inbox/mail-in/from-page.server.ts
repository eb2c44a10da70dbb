import * as z from 'zod/mini'
import { hasRoomToday } from '../../../attachments/store.server.ts'
import { newId } from '../../../database/id.ts'
import { lock } from '../../../database/locks.ts'
import type { MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { replyOnce } from '../../../http/idempotency.ts'
import type { IdempotencyKey } from '../../../http/idempotency-store.ts'
import { type Clock, days, hours, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { addEvent, areFull, lockThread, throwFull } from '../history/entries.server.ts'
import { updateMessage } from '../messages/store.server.ts'
import { addAnsweredNotices } from '../notices/notices.server.ts'
import { updateDue } from '../reply-clock/update-due.server.ts'
import { bareMail } from './mail-parser.server.ts'
import type { MailFile } from './parsed-mail.ts'
import { type Appended, append } from './receive.server.ts'
import { wake } from './store-mail.server.ts'

/** What a visitor writes on the page of one enquiry: more than anybody has to say in an hour. */
const ADDITIONS = { name: 'additions to an enquiry', count: 20, per: hours(1) }

const GONE = 'This enquiry no longer exists'

/** The stored reply of a repeat: no text, so that it is erased with the conversation. */
const Added = z.object({})

/** What a visitor adds on the page of an enquiry. */
export interface Addition {
  readonly text: string
  readonly files: readonly MailFile[]
}

/** Bytes of files that come into one conversation in a day: visitors are not to use up what is kept of a day. */
const MAX_ADDED_PER_DAY = 60 * 1024 ** 2

async function hasRoomFor(
  transaction: Transaction,
  clock: Clock,
  { id, merged_into }: MessageRow,
  files: Addition['files'],
): Promise<boolean> {
  const today = transaction
    .selectFrom('attachments')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .where('message_id', '=', merged_into ?? id)
    .where('created_at', '>=', isoAfter(clock, -days(1)))
  const { bytes } = await today.executeTakeFirstOrThrow()
  const added = files.reduce((sum, { size }) => sum + size, Number(bytes))
  return added <= MAX_ADDED_PER_DAY && (await hasRoomToday(transaction, clock))
}

const NO_SPACE =
  'We cannot take files at the moment, so nothing was sent. Please send it without, or by email.'

/** Adds what a visitor wrote to the conversation, once for each key. @throws {HttpError} 404, 409, 422, 429, 503 */
export async function addToEnquiry(
  services: Services,
  message: MessageRow,
  { text, files }: Addition,
  key: IdempotencyKey | null,
): Promise<void> {
  const { db, clock, settings, rateLimiter, fileSpace } = services
  const [values, mailbox] = [await settings.publicValues(), await services.mailConnection()]
  const isSpace = files.length === 0 || (await fileSpace.hasRoom())
  await replyOnce({ db, clock }, key, Added, attempt =>
    inTransaction(db, async transaction => {
      await attempt.storeReply(transaction, {})
      await rateLimiter.consumeInTransaction(transaction, [ADDITIONS], message.id)
      if (files.length > 0 && !(isSpace && (await hasRoomFor(transaction, clock, message, files))))
        throwHttpError(503, NO_SPACE)
      await addFromPage(services, transaction, message, { text, files, values, mailbox })
      await services.log.within(transaction, 'info', 'FormService', 'Visitor added to an enquiry', {
        messageId: message.id,
      })
      return {}
    }),
  )
}

/** Says in the conversation that the visitor needs no answer any more, and wakes it: staff decide what that means. */
export async function withdrawEnquiry(services: Services, { id }: MessageRow): Promise<void> {
  await inTransaction(services.db, async transaction => {
    const { message: found, target } = await lockThread(transaction, id)
    const message = target ?? found
    if (!message || message.status === 'spam') throwHttpError(404, GONE)
    const last = transaction
      .selectFrom('entries')
      .select('action')
      .where('message_id', '=', message.id)
      .where(eb =>
        eb.or([eb('kind', '!=', 'event'), eb.and([eb('action', '=', 'withdrawn'), eb('detail', '=', id)])]),
      )
      .orderBy('seq', 'desc')
    // It is said once, until something else is.
    if ((await last.limit(1).executeTakeFirst())?.action === 'withdrawn') return
    await wakeForVisitor(services, transaction, message, { action: 'withdrawn', of: id })
    await services.log.within(transaction, 'info', 'FormService', 'Visitor withdrew an enquiry', {
      messageId: id,
    })
  })
}

/** In the list, in place of the visitor's latest words. */
const EXCERPTS = {
  withdrawn: 'Withdraws this enquiry',
  'erasure-asked': 'Asks to be erased',
} as const

/**
 * Says in the history of a locked message what a visitor has done, and has staff look at it again.
 * @param of the message that is the visitor's own, which may be merged into this one
 */
export async function wakeForVisitor(
  { clock, content }: Pick<Services, 'clock' | 'content'>,
  transaction: Transaction,
  message: MessageRow,
  { action, of }: { readonly action: keyof typeof EXCERPTS; readonly of: string },
): Promise<void> {
  const work = { transaction, clock, byId: null }
  await addEvent(work, message.id, action, { detail: of })
  const version = message.version + 1
  const last_activity_at = isoAfter(clock)
  const excerpt = EXCERPTS[action]
  await updateMessage(transaction, message.id, { version, is_read: 0, last_activity_at, excerpt })
  await wake(work, { ...message, version })
  await updateDue({ transaction, content }, message.id)
  await addAnsweredNotices(work, message, false)
}

/**
 * Adds what a visitor wrote on the page of their enquiry, like a mail from their address.
 * @param from the message that the page is of @throws {HttpError} 404, 409
 */
async function addFromPage(
  services: Services,
  transaction: Transaction,
  from: MessageRow,
  { text, files, ...known }: Appended['known'] & Addition,
): Promise<void> {
  const { clock } = services
  await lock(transaction, 'mailIn')
  const { message: found, target } = await lockThread(transaction, from.id)
  const message = target ?? found
  // Since the page was read it may be another address's, or spam.
  if (!message || found?.email !== from.email || message.status === 'spam') throwHttpError(404, GONE)
  if (await areFull(transaction, [message.id])) throwFull()
  const id = newId(clock())
  const mail = {
    ...{ ...bareMail({ raw: Buffer.from(id) }), problem: null, original: null },
    ...{ from: { name: from.name, address: from.email }, text, attachments: files },
  }
  const arrival = { mail, raw: Buffer.alloc(0), receivedAt: isoAfter(clock), isEarlier: false } as const
  const work = { transaction, clock, byId: null }
  const added = { ...arrival, mailId: `<${id}@page>`, isSpace: true, isOnPage: true } as const
  await append(services, work, added, { message, sender: 'participant', known })
}
