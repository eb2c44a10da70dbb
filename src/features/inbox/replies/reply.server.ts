import type { SignedInUser } from '../../../auth/session.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction, type Transaction } from '../../../database/transaction.ts'
import { withMerged } from '../../../erasure/with-merged.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { type Attempt, replyOnce } from '../../../http/idempotency.ts'
import type { IdempotencyKey } from '../../../http/idempotency-store.ts'
import type { RateLimiter } from '../../../http/limits/rate-limiter.ts'
import type { AuditLog } from '../../../log/logger.ts'
import { type Email, type EmailSignature, oneLine, signatureLines } from '../../../mail/email.ts'
import { type ReplyMailbox, replyAddress } from '../../../mail/reply-address.ts'
import { placeOf } from '../../../office-time.ts'
import { dateIn, hours, isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import type { PublicValues } from '../../settings/contract.ts'
import { statusUrl } from '../../status/tokens.server.ts'
import { maxSentBytes, sendDraftFiles } from '../attachments/draft-files.server.ts'
import { CONSUMER_GUIDE_SENT, type Reply, ReplyQueued, UNDO_TIME } from '../conversation/contract.ts'
import { deleteDraft, forgetScheduled } from '../drafts/drafts.server.ts'
import {
  addEntry,
  addEvent,
  assertRoom,
  lockForWork,
  nextSeq,
  recordActivity,
  type Work,
} from '../history/entries.server.ts'
import { readNewer } from '../history/history.server.ts'
import { ensureReplyKey } from '../mail-in/find-conversation.server.ts'
import { changeStatus } from '../messages/set-status.server.ts'
import { addMailId, listMailIds, mayAnswer, updateMessage } from '../messages/store.server.ts'
import { updateDue, updateFirstReply } from '../reply-clock/update-due.server.ts'

/** Recipients, copies too. More than one person answers, and too few to send spam with a stolen session. */
export const REPLIES_PER_USER = { name: 'replies', count: 300, per: hours(1) }

/** A reply as a call gives it, or the Consumer Guide, which takes no draft with it. */
export interface NewReply extends Reply {
  readonly isConsumerGuide?: true
}

export interface Writer {
  readonly user: SignedInUser
  readonly log: AuditLog
  readonly idempotencyKey: IdempotencyKey | null
}

/**
 * Stores a reply with the email that it is sent as, and deletes the draft, in one transaction.
 * @throws {HttpError} 404; 409 when there is no mail provider, or when somebody has said something that the writer has not
 * seen; 409 for a repeat of what was taken back or has failed; 422 for a key that was used for another reply; 429
 */
export async function sendReply(services: Services, reply: NewReply, writer: Writer): Promise<ReplyQueued> {
  const queued = await replyOnce(services, writer.idempotencyKey, ReplyQueued, async attempt => {
    const sending = await readSending(services)
    const asked = { reply, writer: { userId: writer.user.id, log: writer.log }, attempt, ...sending }
    return await inTransaction(services.db, transaction => queueReply(services, transaction, asked))
  })
  await assertStands(services, queued)
  return queued
}

/** What is read before the transaction in which something is sent. */
interface Sending {
  /** The settings, without secrets. */
  readonly values: PublicValues
  /** Where visitors answer; null while no mailbox is fetched. */
  readonly mailbox: ReplyMailbox | null
  /** Bytes of files that can go out together. */
  readonly most: number
}

/** @throws {HttpError} 409 when there is no mail provider */
export async function readSending({ mail, settings, mailConnection }: Services): Promise<Sending> {
  if ((await mail.transport()) === 'mailbox')
    throwHttpError(409, 'No mail provider is set up, so nothing can be sent', { code: 'no_mail' })
  const [values, mailbox] = [await settings.publicValues(), await mailConnection()]
  return { values, mailbox, most: await maxSentBytes(mail) }
}

interface Asked extends Sending {
  readonly reply: NewReply
  readonly writer: { readonly userId: string; readonly log: AuditLog }
  /** Of a call. What is sent at its time is not repeated. */
  readonly attempt?: Attempt
}

/** @throws {HttpError} as `sendReply` does, but for repeats */
export async function queueReply(
  services: Services,
  transaction: Transaction,
  asked: Asked,
): Promise<ReplyQueued> {
  const { clock, sharedClock, content, rateLimiter } = services
  const { reply, writer, attempt } = asked
  const work = { transaction, clock, content, byId: writer.userId }
  const message = await lockForWork(transaction, reply.id)
  assertAddress(message)
  const [id, seq] = [newId(clock()), await nextSeq(transaction, message.id)]
  const queued = {
    reply: { id, seq, sendsAt: isoAfter(sharedClock.now, UNDO_TIME) },
    version: message.version + 1,
  }
  // Before the other checks, so that a repeat gets the first reply and not what that one made of it.
  await attempt?.storeReply(transaction, queued)
  await countRecipients(rateLimiter, work, [message.email, ...copiesOf(reply, message)])
  await assertRoom(transaction, message.id, reply.body)
  await assertNothingNewer(transaction, reply)
  const writing = { messageId: message.id, userId: writer.userId }
  await sendDraftFiles(transaction, writing, { ids: reply.attachments ?? [], most: asked.most, entryId: id })
  await addReply(services, work, message, asked, queued)
  if (message.first_reply_week === null) await updateFirstReply(work, message)
  await changeMessage(work, message, asked)
  await updateDue(work, message.id)
  if (!reply.isConsumerGuide) await deleteDraft(transaction, writing, 'reply')
  // What was to be sent later is sent now.
  if (!reply.isConsumerGuide) await forgetScheduled(transaction, writing)
  await writer.log.within(transaction, 'info', 'API', 'Reply queued', { messageId: message.id, entryId: id })
  return queued
}

/** Counts what is about to go out, for the first time or again. @throws {HttpError} 429 */
export async function countRecipients(
  rateLimiter: RateLimiter,
  { transaction, byId }: Pick<Work, 'transaction'> & { readonly byId: string },
  recipients: readonly string[],
): Promise<void> {
  for (const _ of recipients) await rateLimiter.consumeInTransaction(transaction, [REPLIES_PER_USER], byId)
}

/** @throws {HttpError} 409 with what the writer has not seen */
export async function assertNothingNewer(
  transaction: Transaction,
  { id, lastSeq }: Pick<Reply, 'id' | 'lastSeq'>,
): Promise<void> {
  const entries = await readNewer(transaction, id, lastSeq)
  if (entries.length === 0) return
  throwHttpError(409, 'Somebody has answered meanwhile', { code: 'newer_entries', fields: { entries } })
}

/** Who gets a copy: nobody twice. */
export function copiesOf({ cc = [] }: Pick<Reply, 'cc'>, { email }: MessageRow): string[] {
  const copies = new Map(cc.map(address => [address.toLowerCase(), address]))
  copies.delete(email.toLowerCase())
  return [...copies.values()]
}

async function addReply(
  services: Services,
  work: Work,
  message: MessageRow,
  { reply, writer, values, mailbox }: Asked,
  { reply: { id, seq, sendsAt } }: ReplyQueued,
) {
  const { mail, outbox } = services
  const { transaction } = work
  const { body, attachments = [] } = reply
  const cc = copiesOf(reply, message)
  const messageId = mail.newMessageId()
  const isQuoting = cc.length === 0 && !reply.isConsumerGuide
  const signer = await readSigner(transaction, writer.userId)
  const written = { body, cc, attachments, signer, messageId, isQuoting }
  const email = await composeReply(services, transaction, message, { ...written, values, mailbox })
  await addEntry(work, message.id, {
    ...{ id, seq, kind: 'reply', author_id: writer.userId, body },
    detail: reply.isConsumerGuide ? CONSUMER_GUIDE_SENT : null,
    // For who takes it back.
    ...(reply.status && { status_before: message.status, status_after: reply.status }),
    cc: cc.length > 0 ? JSON.stringify(cc) : null,
  })
  await outbox.add(transaction, email, { kind: 'reply', id, messageId: message.id, dueAt: sendsAt })
  await addMailId(work, { mail_id: messageId, message_id: message.id, entry_id: id })
}

export interface WrittenReply extends Pick<Asked, 'values' | 'mailbox'> {
  readonly body: string
  readonly cc: readonly string[]
  /** Their ids. */
  readonly attachments: readonly string[]
  /** What stands above the lines of the agency. */
  readonly signer: string
  readonly messageId: string
  /** A copy goes to somebody who may not know of the enquiry, and a Consumer Guide answers nothing. */
  readonly isQuoting: boolean
}

/** The email that a reply is sent as: plain text, as it was written, with the agency's signature, above what it answers. */
export async function composeReply(
  { config, content, emailSignature }: Pick<Services, 'config' | 'content' | 'emailSignature'>,
  transaction: Transaction,
  message: MessageRow,
  { body, cc, attachments, signer, messageId, isQuoting, values, mailbox }: WrittenReply,
): Promise<Email> {
  const ids = await withMerged(transaction, [message.id])
  const quoted = isQuoting ? await readLatest(transaction, ids) : null
  const signature = emailSignature(values.site_name)
  const { siteName, texts } = signature
  const { timeZone } = content.read().content.company
  const address = mailbox
    ? replyAddress(mailbox, await ensureReplyKey(transaction, message))
    : values.form_email
  // Who gets a copy is not to be led to all of the enquiry.
  const follow = cc.length > 0 ? '' : `\n${texts.emails.reply.follow}: ${statusUrl({ config })}\n`
  const earlier = (await listMailIds(transaction, ids)).filter(id => id !== messageId)
  return {
    to: message.email,
    cc,
    fromName: siteName,
    replyTo: { name: siteName, address },
    subject: oneLine(texts.emails.reply.subject(message.reference)),
    text: `${body}\n\n-- \n${[signer, ...signatureLines(signature)].filter(Boolean).join('\n')}\n${follow}`,
    ...(follow && { statusLinkOf: message.id }),
    ...(quoted && { quoted: { of: quoted.id, text: quote(quoted, timeZone, texts) } }),
    ...(attachments.length > 0 && { attachments }),
    messageId,
    references: shorten(earlier),
    needsProvider: true,
  }
}

/** What somebody signs with: their signature, or their name without one. Of somebody who has left there is only the name. */
export async function readSigner(db: Database, id: string | null): Promise<string> {
  const users = db.selectFrom('users').select(['name', 'signature']).where('id', '=', id)
  const former = db.selectFrom('former_users').select('name').where('id', '=', id)
  const user = await users.executeTakeFirst()
  return user?.signature ?? user?.name ?? (await former.executeTakeFirst())?.name ?? ''
}

async function changeMessage(work: Work, message: MessageRow, { reply: { status }, writer, values }: Asked) {
  await recordActivity(work, message.id)
  // Who answers has read it, also what came while it was open.
  if (message.is_read === 0) await updateMessage(work.transaction, message.id, { is_read: 1 })
  if (values.assign_on_reply === 'true' && message.assignee_id === null)
    await assignWriter(work, message.id, writer.userId)
  if (status && status !== message.status) await changeStatus(work, message, status)
}

/** The first event after a reply, so that taking the reply back finds it. A user is locked after the message. */
async function assignWriter(work: Work, messageId: string, userId: string) {
  if (!(await mayAnswer(work.transaction, userId))) return
  await updateMessage(work.transaction, messageId, { assignee_id: userId })
  await addEvent(work, messageId, 'assigned', { detail: userId })
}

/** @throws {HttpError} 409 */
export function assertAddress({ email }: MessageRow): void {
  if (email === '') throwHttpError(409, NO_ADDRESS, { code: 'no_address' })
}

const NO_ADDRESS = 'This enquiry has no email address to which a reply could go'
const NOT_SENT = 'This reply could not be sent. Try it again in the conversation, or send a new one.'

/** A repeat of a reply that was taken back, or has failed, would be thanked for something that is not sent. */
async function assertStands({ db }: Services, { reply: { id } }: ReplyQueued) {
  const entry = await db
    .selectFrom('entries')
    .leftJoin('outbox', 'outbox.id', 'entries.id')
    .select(['entries.kind', 'outbox.state'])
    .where('entries.id', '=', id)
    .executeTakeFirst()
  if (!entry) throwHttpError(404, 'This enquiry no longer exists')
  if (entry.kind !== 'reply')
    throwHttpError(409, 'This reply was taken back. Send it as a new one.', { code: 'reply_undone' })
  if (entry.state === 'failed') throwHttpError(409, NOT_SENT, { code: 'reply_failed' })
}

/** Characters of the Message-IDs that an email names: some mail servers refuse longer headers. */
const MAX_REFERENCES = 1500

/** Characters of a quoted enquiry: an email stays small, and its reader sees which question it answers. */
const MAX_QUOTED = 2000

/** All that begins a line in some mail reader: what follows must not look as if staff had written it. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** With a sign before each line, as mail readers show what is quoted. Never ends within a character. */
function quote(
  { name, message: text, created_at }: Quoted,
  timeZone: string,
  texts: EmailSignature['texts'],
) {
  const { reply } = texts.emails
  const at = new Date(created_at)
  const [date, time] = [texts.date(dateIn(at, timeZone)), texts.time(at, timeZone)]
  const isLong = text.length > MAX_QUOTED
  const shown = isLong
    ? `${text
        .slice(0, MAX_QUOTED)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}\n${reply.more}`
    : text
  const lines = shown.split(LINE_BREAK).map(line => `> ${line}`.trimEnd())
  const by = reply.quoted(oneLine(name), date, time, placeOf(timeZone))
  return `${[by, ...lines].join('\n')}\n`
}

type Quoted = Pick<MessageRow, 'id' | 'name' | 'message' | 'created_at'>

/**
 * Of a message and those from the same address that are merged into it, the one that came last, which is not deleted before the
 * transaction ends. Null while somebody deletes it: to wait for them could be to wait for each other.
 */
async function readLatest(transaction: Transaction, ids: readonly string[]): Promise<Quoted | null> {
  const latest = [...ids].sort().at(-1) ?? ''
  const messages = transaction.selectFrom('messages').select(['id', 'name', 'message', 'created_at'])
  const message = messages
    .where('id', '=', latest)
    .$if(isPostgres(transaction), query => query.forShare().skipLocked())
  return (await message.executeTakeFirst()) ?? null
}

/** The first one, which names the conversation, and as many of the newest as fit. */
function shorten([first, ...later]: readonly string[]): string[] {
  if (first === undefined) return []
  const newest: string[] = []
  let length = first.length
  for (const id of later.toReversed()) {
    length += id.length + 1
    if (length > MAX_REFERENCES) break
    newest.unshift(id)
  }
  return [first, ...newest]
}
