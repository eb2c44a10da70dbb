import { formatDateTime } from '../../ui/dates.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { serviceLabels } from '../enquiries/contract.ts'
import { type Message, typeLabels } from './contract.ts'

const letterLabels = {
  sent: 'Sent to staff',
  waiting: 'On its way to staff',
  failed: 'Could not be sent',
}

interface MessageDialogProps {
  readonly message: Message
  readonly isForwarding: boolean
  readonly onForward: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function MessageDialog({ message, isForwarding, onForward, onDelete, onClose }: MessageDialogProps) {
  return (
    <Dialog
      title={`Message from ${message.name}`}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button button-danger-quiet" onClick={onDelete}>
            Delete
          </button>
          <button type="button" className="button" aria-disabled={isForwarding} onClick={onForward}>
            {isForwarding ? 'Forwarding …' : 'Forward by email'}
          </button>
          <button type="button" className="button button-primary" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      <p className="dialog-lead">
        Received {formatDateTime(message.createdAt)} via {typeLabels[message.formType]}
      </p>
      <dl className="details">
        <Detail label="Name">{message.name}</Detail>
        <Detail label="Email">
          <a href={`mailto:${message.email}`}>{message.email}</a>
        </Detail>
        {message.phone && (
          <Detail label="Phone">
            <a href={`tel:${message.phone.replace(/[^+\d]/g, '')}`}>{message.phone}</a>
          </Detail>
        )}
        {message.service && <Detail label="Service">{serviceLabels[message.service]}</Detail>}
        <Detail label="Reference">{message.reference}</Detail>
        {message.letter && <Detail label="Notice">{letterLabels[message.letter]}</Detail>}
        {message.verification !== 'off' && <Detail label="Bot check">{message.verification}</Detail>}
      </dl>
      <p className="message-text">{message.message}</p>
    </Dialog>
  )
}

function Detail({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
