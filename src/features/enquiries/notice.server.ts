import { composeLetter, type Letter, type Signature } from '../../mail/letter.ts'
import { type Enquiry, type FormType, formLabels, serviceLabels } from './contract.ts'

export interface Noticed {
  readonly id: string
  readonly reference: string
  readonly formType: FormType
  readonly enquiry: Enquiry
}

/** The letter that tells staff of an enquiry. A reply to it goes to the visitor; nothing is ever sent to the visitor. */
export function noticeLetter(noticed: Noticed, to: string, publicUrl: string, signature: Signature): Letter {
  const { id, reference, formType, enquiry } = noticed
  return composeLetter(
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
const MOST_REFERENCES = 1000

/** The email that tells staff of many enquiries at once. It quotes nothing that a visitor wrote. */
export function digestLetter(
  references: readonly string[],
  to: string,
  publicUrl: string,
  signature: Signature,
): Letter {
  const more = references.length - MOST_REFERENCES
  return composeLetter(
    {
      to,
      subject: `${references.length} ${references.length === 1 ? 'enquiry' : 'enquiries'} in one email`,
      opening:
        'More than 60 enquiries arrived within an hour, so you get one email for all further ones. They are in the inbox like any other.',
      facts: [
        ['References', references.slice(0, MOST_REFERENCES).join('\n')],
        ...(more > 0 ? ([['And more', String(more)]] as const) : []),
      ],
      link: { label: 'Open the messages in the portal', url: `${publicUrl}/messages` },
    },
    signature,
  )
}
