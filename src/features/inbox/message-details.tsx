import { detailLabels, serviceLabels } from '../../i18n/texts.ts'
import { useMayCall } from '../../portal/use-may-call.ts'
import { Detail } from '../../ui/detail.tsx'
import { describeDetails } from '../enquiry-form/contract.ts'
import { type Message, messages } from './contract.ts'
import { describeVerification, toAsciiEmail } from './format.ts'
import { useRetry } from './queries.ts'

const deliveryLabels = {
  sent: 'Emailed to staff',
  waiting: 'Waiting to be sent',
  failed: 'Could not be sent',
}

/** All fields of a message, and its text. */
export function MessageDetails({
  message,
  deliveryError,
}: {
  message: Message
  deliveryError: string | null
}) {
  const address = toAsciiEmail(message.email)
  return (
    <>
      <dl className="details">
        <Detail label="Name">
          <bdi>{message.name}</bdi>
        </Detail>
        <Detail label="Email">
          <a href={`mailto:${address}`}>{address}</a>
        </Detail>
        {message.phone && (
          <Detail label="Phone">
            <a href={`tel:${message.phone.replace(/[^+\d]/g, '')}`}>{message.phone}</a>
          </Detail>
        )}
        {message.service && <Detail label="Service">{serviceLabels[message.service]}</Detail>}
        <Detail label="Sender">{describeVerification(message.verification)}</Detail>
        <Detail label="Reference">{message.reference}</Detail>
        {message.letter && (
          <Detail label="Notification">
            {deliveryLabels[message.letter]}
            {message.letter === 'failed' && <Retry message={message} reason={deliveryError} />}
          </Detail>
        )}
      </dl>
      <p className="inbox-message-text" dir="auto">
        {message.message}
      </p>
      <Answers of={message} />
    </>
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
