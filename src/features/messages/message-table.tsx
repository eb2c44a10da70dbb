import { formatDateTime } from '../../ui/dates.ts'
import { type Message, typeLabels } from './contract.ts'

interface MessageTableProps {
  readonly messages: readonly Message[]
  readonly onView: (message: Message) => void
  readonly onForward: (message: Message) => void
  readonly onDelete: (message: Message) => void
}

/** A row a message; on a phone each row is a card. Unread ones are bold, and say so. */
export function MessageTable({ messages, onView, onForward, onDelete }: MessageTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Type</th>
          <th scope="col">Status</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {messages.map(message => (
          <tr key={message.id} data-unread={message.isRead ? undefined : ''}>
            <td data-label="Date" className="table-fixed">
              {formatDateTime(message.createdAt)}
            </td>
            <td data-label="Name">{message.name}</td>
            <td data-label="Email">{message.email}</td>
            <td data-label="Type" className="table-fixed">
              {typeLabels[message.formType]}
            </td>
            <td data-label="Status">
              <span className="badge" data-kind={message.isRead ? 'quiet' : 'strong'}>
                {message.isRead ? 'Read' : 'Unread'}
              </span>
            </td>
            <td className="table-actions">
              <RowButton label="View" message={message} onClick={onView} />
              <RowButton label="Forward" message={message} onClick={onForward} />
              <RowButton label="Delete" message={message} onClick={onDelete} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowButton({
  label,
  message,
  onClick,
}: {
  label: string
  message: Message
  onClick: (message: Message) => void
}) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`${label} message from ${message.name}`}
      onClick={() => onClick(message)}
    >
      {label}
    </button>
  )
}
