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

/** Beyond this a letter only says how many more there are; all of them are in the portal. */
const MOST_REFERENCES = 1000

/** The letter that tells staff of many enquiries at once. It quotes nothing that an unverified sender wrote. */
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
      subject: `${references.length} unverified ${references.length === 1 ? 'enquiry' : 'enquiries'} in one letter`,
      opening:
        'So many enquiries came within an hour from senders whom the bot check could not verify that they are told of in one letter. They are stored like any other.',
      facts: [
        ['References', references.slice(0, MOST_REFERENCES).join('\n')],
        ...(more > 0 ? ([['And more', String(more)]] as const) : []),
      ],
      link: { label: 'Open the messages in the portal', url: `${publicUrl}/messages` },
    },
    signature,
  )
}
