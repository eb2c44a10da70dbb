import { type Email, type EmailSignature, renderEmail } from '../../../mail/email.ts'
import type { Enquiry, FormType } from '../contract.ts'
import { describeDetails } from '../details/details.ts'

export interface NoticeData {
  readonly id: string
  readonly reference: string
  readonly formType: FormType
  readonly enquiry: Enquiry
  /** The address of the conversation, where what staff write becomes a note; null while no mailbox is fetched. */
  readonly answersTo: string | null
}

/** The email that notifies staff of an enquiry. It leads to the conversation, because a reply to it is not sent to the visitor, or kept nowhere. */
export function noticeEmail(notice: NoticeData, to: string, publicUrl: string, signature: EmailSignature) {
  const { id, reference, formType, enquiry, answersTo } = notice
  const { emails, enquiryForm, serviceLabels, detailLabels } = signature.texts
  const { labels, enquiry: texts } = emails
  const kind = enquiryForm.kinds[formType]
  return renderEmail(
    {
      to,
      replyTo: answersTo
        ? { name: signature.siteName, address: answersTo }
        : { name: enquiry.name, address: enquiry.email },
      subject: texts.subject(reference, kind, enquiry.name),
      opening: texts.opening(kind),
      facts: [
        [labels.reference, reference],
        [labels.name, enquiry.name],
        [labels.email, enquiry.email],
        [labels.phone, enquiry.phone],
        ...(enquiry.service ? ([[labels.service, serviceLabels[enquiry.service]]] as const) : []),
        [labels.message, enquiry.message],
        ...describeDetails(enquiry.details ?? {}, detailLabels),
      ],
      link: { label: texts.link, url: `${publicUrl}/messages?message=${id}` },
      isLinkFirst: true,
      closing: answersTo ? texts.answersAreNotes : texts.closing,
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
  const { labels, digest: texts } = signature.texts.emails
  const more = references.length - MAX_REFERENCES
  return renderEmail(
    {
      to,
      subject: texts.subject(references.length),
      opening: texts.opening,
      facts: [
        [labels.references, references.slice(0, MAX_REFERENCES).join('\n')],
        ...(more > 0 ? ([[labels.more, String(more)]] as const) : []),
      ],
      link: { label: texts.link, url: `${publicUrl}/messages` },
    },
    signature,
  )
}
