import { composeLetter, type Letter, type Signature } from '../../mail/letter.ts'
import { type Enquiry, type FormType, formLabels, serviceLabels } from './contract.ts'

interface Noticed {
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
