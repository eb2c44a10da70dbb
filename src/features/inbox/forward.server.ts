import type { MessageRow } from '../../database/tables.ts'
import { type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'
import { describeDetails } from '../enquiry-form/contract.ts'
import { parseDetails } from './store.server.ts'

interface Forwarding {
  readonly to: string
  /** The name of who forwards it, and what they say about it. */
  readonly by: string
  readonly comment?: string | undefined
}

/** Renders a message as an email to staff, without anything else of its conversation. A reply to it goes to the visitor. */
export function forwardEmail(
  message: MessageRow,
  { to, by, comment }: Forwarding,
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
        [labels.received, message.created_at],
        [labels.name, message.name],
        [labels.email, message.email],
        ...(message.phone ? ([[labels.phone, message.phone]] as const) : []),
        ...(message.service ? ([[labels.service, serviceLabels[message.service]]] as const) : []),
        [labels.message, message.message],
        ...describeDetails(parseDetails(message.details), detailLabels),
      ],
      closing: texts.closing,
    },
    signature,
  )
}
