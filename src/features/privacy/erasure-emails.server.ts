import type { MessageRow } from '../../database/tables.ts'
import type { Transaction } from '../../database/transaction.ts'
import { renderEmail } from '../../mail/email.ts'
import { AWAITED_EMAIL, DeliveryError } from '../../mail/mail.ts'
import type { Services } from '../../services.ts'
import { canReach } from '../inbox/acknowledgements/acknowledge.server.ts'
import { statusUrl } from '../status/tokens.server.ts'
import type { Certificate } from './contract.ts'

/** What a visitor who asked to be erased gets by email. */

/** Sends it at once, because the outbox would store the address. @returns whether it has gone out */
export async function emailCertificate(
  { settings, emailSignature, mail, log }: Services,
  to: string,
  { reference, enquiries, emails, files, mentions, kept }: Omit<Certificate, 'isEmailed'>,
): Promise<boolean> {
  const { site_name: siteName } = await settings.publicValues()
  const signature = emailSignature(siteName)
  const { erased: texts } = signature.texts.status
  const email = renderEmail(
    {
      to,
      subject: `${texts.heading}: ${reference}`,
      opening: texts.emailed,
      facts: [
        [texts.reference, reference],
        [texts.enquiries, `${enquiries}`],
        [texts.emails, `${emails}`],
        [texts.files, `${files}`],
        [texts.mentions, `${mentions}`],
      ],
      closing: `${texts.kept}: ${kept.join(' ')}`,
    },
    signature,
  )
  try {
    await mail.send({ ...email, isAutomatic: true, needsProvider: true }, AWAITED_EMAIL)
    return true
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    // Without the address, which the error of a provider may name.
    log('warning', 'EmailService', 'The certificate of an erasure could not be sent', { reference })
    return false
  }
}

/** Says to a visitor why they are not erased. Who cannot be reached reads it on the page. */
export async function emailRefusal(
  services: Services,
  transaction: Transaction,
  { id, email: to, reference }: MessageRow,
  reason: string,
): Promise<void> {
  const { settings, emailSignature, outbox, clock, keys } = services
  if (to === '' || !(await canReach(transaction, clock, keys, to))) return
  const { site_name: siteName } = await settings.publicValues(transaction)
  const signature = emailSignature(siteName)
  const { erasureRefused: texts, reply } = signature.texts.emails
  const content = {
    ...{ to, subject: texts.subject(reference), opening: texts.opening(reference) },
    facts: [[texts.reason, reason]] as const,
    ...{ link: { label: reply.follow, url: statusUrl(services) }, closing: texts.closing },
  }
  const email = renderEmail(content, signature)
  const written = { ...email, isAutomatic: true, needsProvider: true, statusLinkOf: id } as const
  await outbox.add(transaction, written, { kind: 'visitor', messageId: id })
}
