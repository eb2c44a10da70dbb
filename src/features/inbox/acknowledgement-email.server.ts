import { describeTime, type Email, type EmailSignature, renderEmail } from '../../mail/email.ts'

interface Acknowledgement {
  readonly to: string
  readonly reference: string
  /** When staff answer at the latest; null when that is not known. */
  readonly answerBy: Date | null
  /** Of the office. */
  readonly timeZone: string
  /** The address of the Consumer Guide. */
  readonly guide: string
  /** Where answers of the visitor go. */
  readonly replyTo: string
  readonly messageId: string
}

/**
 * The email by which a visitor learns that the enquiry was received. It has nothing that a visitor wrote: anybody can enter a
 * stranger's address, and must not be able to send that person a text.
 */
export function acknowledgementEmail(
  { to, reference, answerBy, timeZone, guide, replyTo, messageId }: Acknowledgement,
  signature: EmailSignature,
): Email {
  const { labels, acknowledgement: texts } = signature.texts.emails
  const email = renderEmail(
    {
      to,
      replyTo: { name: signature.siteName, address: replyTo },
      subject: texts.subject(reference),
      opening: texts.opening(signature.siteName),
      facts: [
        [labels.reference, reference],
        ...(answerBy
          ? ([[texts.answerBy, describeTime(answerBy, 'full', timeZone, signature)]] as const)
          : []),
      ],
      link: { label: texts.link, url: guide },
      closing: texts.closing,
    },
    signature,
  )
  return { ...email, messageId, isAutomatic: true, needsProvider: true }
}
