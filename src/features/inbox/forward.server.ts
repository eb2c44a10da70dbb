import type { MessageRow } from '../../database/tables.ts'
import { describeTime, type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'
import { describeDetails } from '../enquiry-form/contract.ts'
import { parseDetails } from './store.server.ts'

interface Forwarding {
  readonly to: string
  /** The name of who forwards it, and what they say about it. */
  readonly by: string
  readonly comment?: string | undefined
  /** Of the office. */
  readonly timeZone: string
}

/** Renders a message as an email to staff, without anything else of its conversation. It leads to the conversation. */
export function forwardEmail(
  message: MessageRow,
  { to, by, comment, timeZone }: Forwarding,
  publicUrl: string,
  signature: EmailSignature,
): Email {
  const { emails, serviceLabels, detailLabels } = signature.texts
  const { labels, forward: texts } = emails
  return renderEmail(
    {
      to,
      replyTo: { name: message.name, address: message.email },
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
      link: { label: texts.link, url: `${publicUrl}/messages?message=${message.id}` },
      isLinkFirst: true,
      closing: texts.closing,
    },
    signature,
  )
}
