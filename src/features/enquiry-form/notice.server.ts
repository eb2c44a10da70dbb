import { type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'
import { type Enquiry, type FormType, formLabels, serviceLabels } from './contract.ts'

export interface NoticeData {
  readonly id: string
  readonly reference: string
  readonly formType: FormType
  readonly enquiry: Enquiry
}

/** The email that notifies staff of an enquiry. Staff reply to the visitor; the product never emails the visitor. */
export function noticeEmail(
  notice: NoticeData,
  to: string,
  publicUrl: string,
  signature: EmailSignature,
): Email {
  const { id, reference, formType, enquiry } = notice
  return renderEmail(
    {
      to,
      replyTo: { name: enquiry.name, address: enquiry.email },
      subject: `${reference}: ${formLabels[formType]} from ${enquiry.name}`,
      opening: `A visitor has sent an enquiry (${formLabels[formType]}).`,
      facts: [
        ['Reference', reference],
        ['Name', enquiry.name],
        ['Email', enquiry.email],
        ['Phone', enquiry.phone],
        ...(enquiry.service ? ([['Service', serviceLabels[enquiry.service]]] as const) : []),
        ['Message', enquiry.message],
      ],
      link: { label: 'Open it in the portal', url: `${publicUrl}/messages?message=${id}` },
      closing: 'Your reply to this email goes to the visitor.',
    },
    signature,
  )
}

/** Beyond this a digest only gives the number of the others; all of them are in the portal. */
const MAX_REFERENCES = 1000

/** The email that lists many enquiries. It quotes nothing that a visitor wrote. */
export function digestEmail(
  references: readonly string[],
  to: string,
  publicUrl: string,
  signature: EmailSignature,
): Email {
  const more = references.length - MAX_REFERENCES
  return renderEmail(
    {
      to,
      subject: `${references.length} ${references.length === 1 ? 'enquiry' : 'enquiries'} in one email`,
      opening:
        'More than 60 enquiries arrived within an hour, so you get one email for all further ones. They are in the inbox like any other.',
      facts: [
        ['References', references.slice(0, MAX_REFERENCES).join('\n')],
        ...(more > 0 ? ([['And more', String(more)]] as const) : []),
      ],
      link: { label: 'Open the messages in the portal', url: `${publicUrl}/messages` },
    },
    signature,
  )
}
