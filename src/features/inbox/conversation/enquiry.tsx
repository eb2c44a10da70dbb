import { detailLabels, messageTypeLabels } from '../../../i18n/texts.ts'
import { useMayCall } from '../../../portal/use-may-call.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { describeDetails } from '../../enquiry-form/contract.ts'
import { type Message, messages, type OpenMessage } from '../contract.ts'
import { useRetry } from '../queries.ts'

const noticeLabels = {
  sent: 'Emailed to staff',
  waiting: 'Waiting to be sent',
  failed: 'Could not be sent',
}

/** What the visitor sent, and what became of the email to staff about it. */
export function Enquiry({ message, deliveryError }: Pick<OpenMessage, 'message' | 'deliveryError'>) {
  return (
    <article className="inbox-entry" data-kind="enquiry">
      <header className="inbox-entry-head">
        <strong>
          <bdi>{message.name}</bdi>
        </strong>
        <span>{messageTypeLabels[message.formType]}</span>
        <DateTime iso={message.createdAt} />
      </header>
      <p className="inbox-text" dir="auto">
        {message.message}
      </p>
      <Answers of={message} />
      {message.letter && (
        <div className="inbox-notice">
          <span className="inbox-quiet">Notification: {noticeLabels[message.letter]}</span>
          {message.letter === 'failed' && <Retry message={message} reason={deliveryError} />}
        </div>
      )}
    </article>
  )
}

/** What the visitor answered beside the message. */
function Answers({ of: { details } }: { of: Message }) {
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
    <div className="inbox-email-failed">
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
