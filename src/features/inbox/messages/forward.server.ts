import type * as z from 'zod/mini'
import type { SignedInUser } from '../../../auth/session.ts'
import { newId } from '../../../database/id.ts'
import type { Database, MessageRow } from '../../../database/tables.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { throwFieldError, throwHttpError } from '../../../http/http-error.ts'
import { type AuditLog, describeError } from '../../../log/logger.ts'
import { describeTime, type Email, renderEmail } from '../../../mail/email.ts'
import { DeliveryError } from '../../../mail/mail.ts'
import { replyAddress } from '../../../mail/reply-address.ts'
import { minutes, seconds } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import type { messages } from '../contract.ts'
import { lockMessage } from '../history/entries.server.ts'
import { ensureReplyKey } from '../mail-in/find-conversation.server.ts'
import { findColleague, findMessage, parseDetails, recordForward } from './store.server.ts'

/** How long an admin waits for the mail provider's reply to a forwarded message. */
const FORWARD_TIMEOUT = seconds(10)
/** So that a double click sends one email. */
const FORWARDS_PER_MESSAGE = { name: 'forwards', count: 1, per: minutes(1) }

/**
 * Sends a message to the configured address or to a colleague, while the caller waits. @returns its version afterwards
 * @throws {HttpError} 404, 400, 429, 503
 */
export async function forwardMessage(
  services: Services,
  { id, to: colleagueId, comment }: z.output<typeof messages.forward.input>,
  user: SignedInUser,
  log: AuditLog,
): Promise<number | undefined> {
  const { db, clock, mail, settings, rateLimiter } = services
  const message = (await findMessage(db, id)) ?? throwHttpError(404, 'This enquiry no longer exists')
  const { form_email, site_name: siteName } = await settings.publicValues()
  const to = colleagueId ? await emailOf(db, colleagueId) : form_email
  const place = colleagueId ? `${id} ${colleagueId}` : id
  await rateLimiter.consume(FORWARDS_PER_MESSAGE, place)
  try {
    const replyTo = await replyToFor(services, message, siteName)
    const email = forwardEmail(services, message, { to, comment, by: user.name, siteName, replyTo })
    // The file name in the local mailbox holds the message's id, so that deleting the message deletes the email too.
    await mail.send(email, FORWARD_TIMEOUT, `${newId(clock())}.${id}`)
  } catch (error) {
    await rateLimiter.refund(FORWARDS_PER_MESSAGE, place)
    if (!(error instanceof DeliveryError)) throw error
    const details = { messageId: id, ...describeError(error) }
    log('error', 'EmailService', 'Message could not be forwarded', details)
    throwHttpError(503, 'Failed to forward message', { retryAfter: 60 })
  }
  // A forwarded message has been dealt with: the retention job must not erase it as an unread one.
  const version = await recordForward(services, { id, byId: user.id, colleagueId })
  log('info', 'EmailService', 'Message forwarded', { messageId: id })
  return version
}

async function emailOf(db: Database, userId: string): Promise<string> {
  const colleague = await findColleague(db, userId, 'inbox:read')
  return colleague?.email ?? throwFieldError('to', 'Choose somebody with access to messages')
}

interface Forwarding extends Record<'to' | 'by' | 'siteName', string> {
  readonly comment: string | undefined
  /** The address of the conversation; null while no mailbox is fetched. */
  readonly replyTo: Email['replyTo'] | null
}

/** What a colleague answers becomes a note. */
async function replyToFor({ db, mailConnection }: Services, message: MessageRow, name: string) {
  const mailbox = await mailConnection()
  if (!mailbox) return null
  const key = await inTransaction(db, async transaction => {
    const locked = await lockMessage(transaction, message.id)
    return locked ? await ensureReplyKey(transaction, locked) : null
  })
  return { name, address: replyAddress(mailbox, key) }
}

/** A message as an email to staff, without anything else of its conversation. It leads to the conversation. */
function forwardEmail(
  { config, content, emailSignature }: Services,
  message: MessageRow,
  { to, comment, by, siteName, replyTo }: Forwarding,
): Email {
  const signature = emailSignature(siteName)
  const { timeZone } = content.read().content.company
  const { emails, serviceLabels, detailLabels } = signature.texts
  const { labels, forward: texts } = emails
  return renderEmail(
    {
      to,
      replyTo: replyTo ?? { name: message.name, address: message.email },
      subject: texts.subject(message.reference, texts.types[message.form_type], message.name),
      opening: texts.opening(by),
      facts: [
        ...(comment ? ([[labels.comment, comment]] as const) : []),
        [labels.reference, message.reference],
        [labels.received, describeTime(new Date(message.created_at), 'medium', timeZone, signature)],
        [labels.name, message.name],
        [labels.email, message.email],
        ...(message.phone ? ([[labels.phone, message.phone]] as const) : []),
        ...(message.service ? ([[labels.service, serviceLabels[message.service]]] as const) : []),
        [labels.message, message.message],
        ...describeDetails(parseDetails(message.details), detailLabels),
      ],
      link: { label: texts.link, url: `${config.publicUrl}/messages?message=${message.id}` },
      isLinkFirst: true,
      closing: replyTo ? texts.answersAreNotes : texts.closing,
    },
    signature,
  )
}
