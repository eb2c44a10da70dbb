import type { MessageRow } from '../../../database/tables.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { type EmailSignature, renderEmail } from '../../../mail/email.ts'
import { type ReplyMailbox, replyAddress } from '../../../mail/reply-address.ts'
import { hours } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { shouldDigest } from '../../enquiry-form/notices/digest.server.ts'
import { addDigestItem } from '../../enquiry-form/store.server.ts'
import type { PublicValues } from '../../settings/contract.ts'
import { mayAnswer } from '../messages/store.server.ts'
import { ensureReplyKey } from './find-conversation.server.ts'
import type { ParsedMail } from './parsed-mail.ts'

/** Emails to staff about mails, as for enquiries: beyond it, somebody writes to fill their mailbox. */
export const MAIL_NOTICES = { name: 'notices of mails', count: 60, per: hours(1) }
/** "Kept as a note": of one conversation, and to one person, whose address somebody else may use. */
export const KEPT_PER_CONVERSATION = { name: 'kept as a note', count: 1, per: hours(1) }
export const KEPT_PER_PERSON = { name: 'kept as a note, by person', count: 10, per: hours(1) }

interface About {
  readonly message: MessageRow
  readonly mail: ParsedMail
  /** Whether it was written on the page of the enquiry. */
  readonly isOnPage?: boolean | undefined
  readonly values: PublicValues
  /** Where staff answer notices; null while no mailbox is fetched. */
  readonly mailbox: ReplyMailbox | null
}

/** Says to staff that a conversation has begun with a mail: at once, or in the digest when there are many. */
export async function noticeNew(
  services: Services,
  transaction: Transaction,
  isDigested: boolean,
  about: About,
) {
  if (isDigested) return await addDigestItem(transaction, services.clock, about.message.id)
  const email = await mailNotice(services, transaction, about.values.form_email, about)
  await services.outbox.add(transaction, email, { kind: 'notice', messageId: about.message.id })
}

/** Before the message is inserted: whether its notice goes into the digest. */
export const isForDigest = shouldDigest

/**
 * Says to who has the conversation, or to everybody where nobody does, that there is another mail.
 * @returns whether it was to who has it
 */
export async function noticeMore(
  services: Services,
  transaction: Transaction,
  about: About,
): Promise<boolean> {
  const own = await emailOfAssignee(transaction, about.message)
  const to = own ?? about.values.form_email
  const email = await mailNotice(services, transaction, to, about)
  await services.outbox.add(transaction, email, { kind: 'mail-notice', messageId: about.message.id })
  return own !== null
}

async function emailOfAssignee(
  transaction: Transaction,
  { assignee_id }: MessageRow,
): Promise<string | null> {
  if (assignee_id === null || !(await mayAnswer(transaction, assignee_id))) return null
  const user = transaction.selectFrom('users').select('email').where('id', '=', assignee_id)
  return (await user.executeTakeFirst())?.email ?? null
}

async function mailNotice(
  services: Services,
  transaction: Transaction,
  to: string,
  { message, mail, isOnPage, values, mailbox }: About,
) {
  const signature = services.emailSignature(values.site_name)
  const { labels, mail: texts } = signature.texts.emails
  const subject = isOnPage ? texts.subjectOnPage : texts.subject
  const email = renderEmail(
    {
      ...(mailbox
        ? await answeredTo(transaction, message, signature, mailbox)
        : { replyTo: { name: message.name, address: message.email } }),
      to,
      subject: subject(message.reference, mail.from.name || mail.from.address),
      opening: isOnPage ? texts.openingOnPage : texts.opening,
      facts: [
        [labels.reference, message.reference],
        [labels.name, mail.from.name],
        [labels.email, mail.from.address],
        ...(isOnPage ? [] : [[labels.subject, mail.subject] as const]),
        [labels.message, mail.text],
        ...(mail.attachments.length > 0
          ? [[labels.files, mail.attachments.map(({ name }) => name).join('\n')] as const]
          : []),
      ],
      link: linkTo(services, message, texts.link),
      isLinkFirst: true,
      closing: mailbox ? texts.closing : signature.texts.emails.enquiry.closing,
    },
    signature,
  )
  return { ...email, isNotice: true }
}

/** Says to a member of staff, once an hour, that the visitor does not have what they wrote. */
export async function noticeKept(
  services: Services,
  transaction: Transaction,
  to: string,
  { message, values, mailbox }: Omit<About, 'mail' | 'mailbox'> & { readonly mailbox: ReplyMailbox },
) {
  const signature = services.emailSignature(values.site_name)
  const { labels, keptAsNote: texts } = signature.texts.emails
  const email = renderEmail(
    {
      ...(await answeredTo(transaction, message, signature, mailbox)),
      to,
      subject: texts.subject(message.reference),
      opening: texts.opening,
      facts: [[labels.reference, message.reference]],
      link: linkTo(services, message, texts.link),
    },
    signature,
  )
  await services.outbox.add(transaction, { ...email, isAutomatic: true }, null)
}

async function answeredTo(
  transaction: Transaction,
  message: MessageRow,
  { siteName }: EmailSignature,
  mailbox: ReplyMailbox,
) {
  const address = replyAddress(mailbox, await ensureReplyKey(transaction, message))
  return { replyTo: { name: siteName, address } }
}

const linkTo = ({ config }: Services, { id }: MessageRow, label: string) => ({
  label,
  url: `${config.publicUrl}/messages?message=${id}`,
})
