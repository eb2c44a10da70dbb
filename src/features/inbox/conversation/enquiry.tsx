import type { ReactNode } from 'react'
import { detailLabels, messageTypeLabels } from '../../../i18n/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import { type Message, messages, type OpenMessage } from '../contract.ts'
import { EntryCard, placeOf } from '../history/thread-entry.tsx'
import { useRetry } from '../queries.ts'
import type { Entry } from './contract.ts'

const noticeLabels = {
  sent: 'Emailed to staff',
  waiting: 'Waiting to be sent',
  failed: 'Could not be sent',
}

interface SentEnquiryProps {
  readonly sent: Pick<Message, 'id' | 'name' | 'formType' | 'createdAt' | 'message' | 'details'>
  /** Of what is merged into the open message. */
  readonly origin?: Entry['origin']
  readonly children: ReactNode
}

/** What a visitor sent: the message, and what they answered beside it. */
export function SentEnquiry({ sent, origin, children }: SentEnquiryProps) {
  const { id, name, formType, createdAt, message, details } = sent
  const answers = describeDetails(details, detailLabels)
  return (
    <EntryCard
      {...{ name, createdAt, origin }}
      place={placeOf(id)}
      kind="enquiry"
      says={messageTypeLabels[formType]}
      body={message}
    >
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
export function Enquiry({ message, deliveryError }: Pick<OpenMessage, 'message' | 'deliveryError'>) {
  const isKept = message.letter === 'sent' && deliveryError
  return (
    <SentEnquiry sent={message}>
      {message.letter && (
        <div className="inbox-notice">
          <span className="quiet small">
            Notification: {isKept ? deliveryError : noticeLabels[message.letter]}
          </span>
          {message.letter === 'failed' && <Retry message={message} reason={deliveryError} />}
        </div>
      )}
    </SentEnquiry>
  )
}

function Retry({ message, reason }: { message: Message; reason: string | null }) {
  const retry = useRetry()
  const mayRetry = useMayCall()(messages.retry)
  return (
    <div className="line wrap inbox-email-failed">
      {reason && <q>{reason}</q>}
      {mayRetry && (
        <Button isIdle={retry.isPending} onClick={() => retry.mutate(message)}>
          {retry.isPending ? 'Sending …' : 'Retry'}
        </Button>
      )}
    </div>
  )
}
