import type { MessageRow } from '../../database/tables.ts'
import { type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'
import { serviceLabels } from '../enquiry-form/contract.ts'
import { typeLabels } from './contract.ts'

/** Renders a message as an email to the configured address. A reply to it goes to the visitor. */
export function forwardEmail(
  message: MessageRow,
  to: string,
  forwardedBy: string,
  signature: EmailSignature,
): Email {
  return renderEmail(
    {
      to,
      replyTo: { name: message.name, address: message.email },
      subject: `Fwd: ${message.reference}: ${typeLabels[message.form_type]} from ${message.name}`,
      opening: `${forwardedBy} has forwarded this message to you.`,
      facts: [
        ['Reference', message.reference],
        ['Received', message.created_at],
        ['Name', message.name],
        ['Email', message.email],
        ...(message.phone ? ([['Phone', message.phone]] as const) : []),
        ...(message.service ? ([['Service', serviceLabels[message.service]]] as const) : []),
        ['Message', message.message],
      ],
      closing: 'Your reply to this email goes to the visitor.',
    },
    signature,
  )
}
