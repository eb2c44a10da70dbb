import type { ReactNode } from 'react'
import { detailLabels, messageTypeLabels } from '../../../i18n/texts.ts'
import { lazily } from '../../../ui/lazy-part.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import type { Message, OpenMessage } from '../contract.ts'
import { EntryCard, placeOf } from '../history/entry-card.tsx'
import { mailCard } from '../history/thread-entry.tsx'
import type { InboundMail } from '../mail-in/contract.ts'
import type { Entry } from './contract.ts'

/** Loaded when the email to staff has failed. */
const RetryNotice = lazily(async () => (await import('./retry-notice.tsx')).RetryNotice)

const noticeLabels = {
  sent: 'Emailed to staff',
  waiting: 'Waiting to be sent',
  failed: 'Could not be sent',
}

interface SentEnquiryProps {
  readonly sent: Pick<Message, 'id' | 'name' | 'email' | 'formType' | 'createdAt' | 'message' | 'details'>
  /** Of what is merged into the open message. */
  readonly origin?: Entry['origin']
  /** The mail that it began as, if it did. */
  readonly mail?: Pick<Entry, keyof InboundMail> | undefined
  /** The message that is open. */
  readonly message: Message
  /** Null where the conversation shows it too: what leads to it leads there. */
  readonly place?: null
  readonly children?: ReactNode
}

/** What a visitor sent: the message, and what they answered beside it. */
export function SentEnquiry({ sent, origin, mail, message, place, children }: SentEnquiryProps) {
  const { id, name, formType, createdAt, message: body, details } = sent
  const answers = describeDetails(details, detailLabels)
  const visitor = { name, address: sent.email, hasSeveral: false }
  const begun = mail?.from ? mailCard({ message, visitor, mail: { ...mail, id, body } }) : null
  return (
    <EntryCard
      {...{ name, createdAt, origin }}
      {...(place !== null && { place: placeOf(id) })}
      kind="enquiry"
      {...(begun ?? { says: messageTypeLabels[formType], body })}
    >
      {begun?.children}
      {answers.length > 0 && (
        <table className="inbox-answers">
          <caption>Answers in the form</caption>
          <tbody>
            {answers.map(([label, answer]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <bdi>{answer}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children}
    </EntryCard>
  )
}

/** The enquiry of the open message, and what became of the email to staff about it. */
export function Enquiry({
  message,
  mail,
  deliveryError,
}: Pick<OpenMessage, 'message' | 'mail' | 'deliveryError'>) {
  const isKept = message.letter === 'sent' && deliveryError
  return (
    <SentEnquiry sent={message} message={message} mail={mail}>
      {message.letter && (
        <div className="inbox-notice">
          <span className="quiet small">
            Notification: {isKept ? deliveryError : noticeLabels[message.letter]}
          </span>
          {message.letter === 'failed' && <RetryNotice message={message} reason={deliveryError} />}
        </div>
      )}
    </SentEnquiry>
  )
}
