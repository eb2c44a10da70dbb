import { addAttachments, type NewAttachment } from '../../../attachments/store.server.ts'
import { canonicalEmail } from '../../../auth/staff-email.ts'
import { officeOf } from '../../../content/office/office.ts'
import { answerBy } from '../../../content/office/working-time.ts'
import { newId } from '../../../database/id.ts'
import type { MailSender } from '../../../database/mail-in-tables.ts'
import type { Database, MessageRow, Tables } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { Email } from '../../../http/common-schemas.ts'
import { recordChange } from '../../../live/record-change.server.ts'
import type { FetchedMail } from '../../../mail/mail-source.ts'
import { newReplyKey } from '../../../mail/reply-address.ts'
import { isoAfter } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { newReference } from '../../enquiry-form/reference.server.ts'
import { endLinks, withoutTokens as redactTokens } from '../../status/tokens.server.ts'
import { ON_PAGE } from '../conversation/contract.ts'
import { addEntry, addEvent, type Work } from '../history/entries.server.ts'
import { changeStatus } from '../messages/set-status.server.ts'
import { addMailId, updateMessage } from '../messages/store.server.ts'
import { updateDue } from '../reply-clock/update-due.server.ts'
import type { ParsedMail } from './parsed-mail.ts'

const NOT_KEPT = 'so Landfall kept only what is shown here. The whole mail is in the mailbox.'

/** A mail that is about to be stored. */
export interface Arrival extends Pick<FetchedMail, 'raw' | 'receivedAt'> {
  readonly mail: ParsedMail
  /** By which it is known again: its Message-ID, or what stands for one. */
  readonly mailId: string
  /** From before the mailbox was connected. */
  readonly isEarlier: boolean
  /** Whether there is space for its files. */
  readonly isSpace: boolean
  /** Whether it was written on the page of the enquiry, and is no mail. */
  readonly isOnPage?: true
}

/** Where a mail is stored, and what it is there. */
interface Place {
  /** The id of its entry or note, or of its message. */
  readonly entryId: string
  readonly messageId: string
}

/** Stores what a mail is beside its text. */
async function insertMail(
  work: Work,
  arrival: Arrival,
  { entryId, messageId }: Place,
  { sender, mayBelongTo }: { readonly sender: MailSender; readonly mayBelongTo: string | null },
) {
  const { mail, receivedAt } = arrival
  const isKept = await keepFiles(work, arrival, { entryId, messageId })
  const row = {
    ...{ entry_id: entryId, message_id: messageId, mail_id: arrival.mailId, sender },
    ...{ from_name: mail.from.name, from_address: mail.from.address, subject: mail.subject },
    to_addresses: JSON.stringify(mail.to),
    cc_addresses: JSON.stringify(mail.cc),
    ...{ body_quoted: mail.quoted, html: mail.html, automatic: mail.automatic, may_belong_to: mayBelongTo },
    problem: isKept ? mail.problem : `${whyNot(arrival)}, ${NOT_KEPT}`,
    mailbox_time: receivedAt,
  }
  await work.transaction.insertInto('inbound_mails').values(row).execute()
}

const whyNot = ({ isSpace }: Arrival) =>
  isSpace ? 'Very much mail has come today' : 'The space for files is full'

/** Stores by which a mail is known again. */
export async function rememberMail(work: Work, { mail, mailId }: Arrival, { entryId, messageId }: Place) {
  const { identityHash: identity_hash, contentHash: content_hash } = mail
  await addMailId(work, {
    mail_id: mailId,
    message_id: messageId,
    entry_id: entryId,
    identity_hash,
    content_hash,
  })
}

/** Keeps the files of a mail, and all of it as it came if not all is shown. @returns whether nothing is missing */
export async function keepFiles(
  work: Work,
  { mail, raw, receivedAt, isSpace }: Arrival,
  { entryId, messageId }: Place,
): Promise<boolean> {
  const files = mail.attachments.map((file): NewAttachment => ({ ...file, kind: 'file' }))
  if (mail.original !== null) files.push(originalOf(raw, mail.original))
  const place = { entry_id: entryId, message_id: messageId, created_at: receivedAt }
  return await addAttachments(work, place, files, isSpace)
}

function originalOf(bytes: Uint8Array, sha256: string): NewAttachment {
  return {
    ...{ kind: 'original', name: 'mail.eml', type: 'message/rfc822', size: bytes.length, warning: null },
    content: { bytes, sha256 },
  }
}

/** What is said of a sender who gives no name. */
const NAMELESS = 'No name'

/** Begins a conversation with a mail. @returns the id of its message */
export async function insertConversation(
  { content }: Pick<Services, 'content'>,
  work: Work,
  arrival: Arrival,
  mayBelongTo: string | null,
): Promise<string> {
  const { mail, receivedAt } = arrival
  const { site } = content.read()
  const time = new Date(receivedAt)
  const isSilent = arrival.isEarlier || mail.automatic !== null
  const id = newId(time)
  await insertMessage(work.transaction, {
    ...{ id, form_type: 'email', name: mail.from.name || mail.from.address || NAMELESS },
    email: answerableAddress(mail.from.address),
    ...{ phone: null, service: null, details: null, message: mail.text || mail.subject },
    ...{ is_read: isSilent ? 1 : 0, status: isSilent ? 'closed' : 'open', verification: 'unverified:email' },
    created_at: receivedAt,
    due_at: isSilent ? null : (answerBy(site, time)?.toISOString() ?? null),
    due_rule: isSilent ? null : officeOf(site).key,
    reply_key: newReplyKey(),
  })
  const place = { entryId: id, messageId: id }
  await insertMail(work, arrival, place, { sender: 'visitor', mayBelongTo })
  await rememberMail(work, arrival, place)
  // It may have come hours ago, before what open screens look for.
  if (!isSilent) recordChange(work.transaction, work.clock, id)
  return id
}

/** A domain in another alphabet becomes punycode, which every server takes. '' where no email can be sent to it. */
const answerableAddress = (address: string) =>
  [address, canonicalEmail(address)].find(spelling => Email.safeParse(spelling).success) ?? ''

type NewMessage = Omit<Tables['messages'], 'reference' | 'status' | 'version' | 'details'> & {
  readonly details: null
  readonly status: MessageRow['status']
}

/** With a million messages, one reference in 55,000 is taken. */
async function insertMessage(
  transaction: Transaction,
  row: Pick<NewMessage, 'id' | 'form_type' | 'name' | 'email' | 'phone' | 'service' | 'message' | 'is_read'> &
    Pick<
      NewMessage,
      'verification' | 'created_at' | 'details' | 'status' | 'due_at' | 'due_rule' | 'reply_key'
    >,
): Promise<void> {
  const inserted = await transaction
    .insertInto('messages')
    .values({ ...row, reference: newReference() })
    .onConflict(conflict => conflict.column('reference').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) await insertMessage(transaction, row)
}

/** The text of a list, which shortens it further. */
const EXCERPT = 640

/** Adds a mail to a conversation whose message is locked. @returns whether somebody has to look at it */
export async function appendMail(
  { content }: Pick<Services, 'content'>,
  work: Work,
  arrival: Arrival,
  { message, sender }: { readonly message: MessageRow; readonly sender: MailSender },
): Promise<boolean> {
  const { mail, receivedAt, isEarlier } = arrival
  const { transaction, clock } = work
  const entryId = newId(clock())
  const place = { entryId, messageId: message.id }
  const isSilent = isEarlier || mail.automatic !== null
  await addEntry(work, message.id, {
    ...{ id: entryId, kind: 'inbound', author_id: null, body: mail.text, created_at: receivedAt },
    detail: arrival.isOnPage ? ON_PAGE : isEarlier ? 'earlier' : mail.automatic ? 'automatic' : null,
  })
  await insertMail(work, arrival, place, { sender, mayBelongTo: null })
  await rememberMail(work, arrival, place)
  // Who saw the conversation before must not delete it, nor change it with others.
  await updateMessage(transaction, message.id, {
    version: message.version + 1,
    ...(!isSilent && {
      ...{ is_read: 0, excerpt: (mail.text || mail.subject).slice(0, EXCERPT).toWellFormed() },
      last_activity_at: latest(message.last_activity_at, receivedAt, isoAfter(clock)),
      // Now somebody waits, though nobody did for what the conversation began with.
      ...(message.due_rule === null && message.status !== 'open' && { due_rule: '' }),
    }),
  })
  if (isSilent || message.status === 'spam') return false
  await wake(work, { ...message, version: message.version + 1 })
  await updateDue({ transaction, content }, message.id)
  return true
}

/** The clocks of two servers may differ. */
function latest(before: string | null, received: string, now: string): string {
  const time = received > now ? now : received
  return before !== null && before > time ? before : time
}

/** What was done with, or put off, has to be looked at again. */
export async function wake(work: Work, message: MessageRow) {
  // One that has ended stays: somebody may not have looked yet.
  if (message.snoozed_until !== null && message.snoozed_until > isoAfter(work.clock)) {
    await updateMessage(work.transaction, message.id, { snoozed_until: null })
    await addEvent(work, message.id, 'unsnoozed')
  }
  if (message.status !== 'open') await changeStatus(work, message, 'open')
}

/**
 * Who answers our email quotes its link, which must open nothing from where the answer is stored and read. Of a mail that is kept as it
 * came, the links end.
 */
export async function withoutTokens(db: Database, mail: ParsedMail): Promise<ParsedMail> {
  const { text, quoted, html, subject, original } = mail
  const tokens: string[] = []
  const redact = (part: string) => redactTokens(part, token => tokens.push(token))
  const redacted = {
    ...mail,
    text: redact(text),
    quoted: redact(quoted),
    html: html && redact(html),
    subject: redact(subject),
  }
  if (original !== null && tokens.length > 0) await endLinks(db, tokens)
  return redacted
}
