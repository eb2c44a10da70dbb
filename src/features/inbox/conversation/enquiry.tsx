import type { ReactNode } from 'react'
import { detailLabels, messageTypeLabels } from '../../../i18n/texts.ts'
import { ShortTime } from '../../../ui/date-time.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import { type Message, messages, type OpenMessage } from '../contract.ts'
import { placeOf } from '../merging/merged-reference.tsx'
import { useRetry } from '../queries.ts'

const noticeLabels = {
  sent: 'Emailed to staff',
  waiting: 'Waiting to be sent',
  failed: 'Could not be sent',
}

type Sent = Pick<Message, 'id' | 'name' | 'formType' | 'createdAt' | 'message' | 'details'>

interface SentEnquiryProps {
  readonly sent: Sent
  /** Of what is merged into the open message. */
  readonly reference?: ReactNode
  readonly children: ReactNode
}

/** What a visitor sent: the message, and what they answered beside it. */
export function SentEnquiry({ sent, reference, children }: SentEnquiryProps) {
  return (
    <article
      id={placeOf(sent.id)}
      tabIndex={-1}
      className="inbox-entry"
      data-kind="enquiry"
      data-merged={reference ? '' : undefined}
    >
      <header className="line wrap small inbox-entry-head">
        <strong>
          <bdi>{sent.name}</bdi>
        </strong>
        <span>{messageTypeLabels[sent.formType]}</span>
        {reference}
        <ShortTime iso={sent.createdAt} />
      </header>
      <p className="break inbox-text" dir="auto">
        {sent.message}
      </p>
      <Answers of={sent} />
      {children}
    </article>
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

/** What the visitor answered beside the message. */
function Answers({ of: { details } }: { of: Pick<Message, 'details'> }) {
  const rows = describeDetails(details, detailLabels)
  if (rows.length === 0) return null
  return (
    <table className="inbox-answers">
      <caption>Answers in the form</caption>
      <tbody>
        {rows.map(([label, answer]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <bdi>{answer}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Retry({ message, reason }: { message: Message; reason: string | null }) {
  const retry = useRetry()
  const mayRetry = useMayCall()(messages.retry)
  return (
    <div className="line wrap inbox-email-failed">
      {reason && <q>{reason}</q>}
      {mayRetry && (
        <button
          type="button"
          className="button"
          aria-disabled={retry.isPending}
          onClick={() => {
            if (!retry.isPending) retry.mutate(message)
          }}
        >
          {retry.isPending ? 'Sending …' : 'Retry'}
        </button>
      )}
    </div>
  )
}
