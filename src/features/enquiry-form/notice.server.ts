import { type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'
import { type Enquiry, type FormType, formLabels, serviceLabels } from './contract.ts'

export interface NoticeData {
  readonly id: string
  readonly reference: string
  readonly formType: FormType
  readonly enquiry: Enquiry
}

/** The letter that tells staff of an enquiry. A reply to it goes to the visitor; nothing is ever sent to the visitor. */
export function noticeEmail(
  noticed: NoticeData,
  to: string,
  publicUrl: string,
  signature: EmailSignature,
): Email {
  const { id, reference, formType, enquiry } = noticed
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
      closing: 'Your reply to this letter goes to the visitor.',
    },
    signature,
  )
}

/** Beyond this an email only says how many more there are; all of them are in the portal. */
const MAX_REFERENCES = 1000

/** The email that tells staff of many enquiries at once. It quotes nothing that a visitor wrote. */
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
