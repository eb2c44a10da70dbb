import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { formatDateTime } from '../../ui/dates.ts'
import { Dialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import { type Message, type MessageFilter, typeLabels } from './contract.ts'
import { isolateBidi } from './format.ts'
import { MessageDetails } from './message-details.tsx'
import { messageQuery, useMarkRead } from './queries.ts'

interface MessageDialogProps extends ReturnsFocus {
  readonly id: string
  readonly filter: MessageFilter
  /** As far as the open message and those next to it are in the list that is here. */
  readonly known: Message | undefined
  readonly newer: string | undefined
  readonly older: string | undefined
  readonly isForwarding: boolean
  readonly onMove: (id: string) => void
  readonly onForward: (message: Message) => void
  readonly onDelete: (message: Message) => void
  readonly onClose: () => void
}

/** A message, wherever in the list it is; opening it marks it as read. */
export function MessageDialog({ id, filter, known, ...props }: MessageDialogProps) {
  const { returnTo } = props
  const { data, error } = useQuery(messageQuery(id, filter, known))
  const markRead = useMarkRead()
  const marked = useRef<string | null>(null)
  const message = data?.message
  const isUnread = message?.isRead === false
  const newer = props.newer ?? data?.newer ?? undefined
  const older = props.older ?? data?.older ?? undefined
  const move = (to: string | undefined) => {
    if (to) props.onMove(to)
  }

  useEffect(() => {
    // Once: what failed is told, and tried again when somebody opens the message again.
    if (!isUnread || marked.current === id) return
    marked.current = id
    markRead.mutate({ id })
  }, [id, isUnread, markRead])

  if (!message) return <Absent error={error} {...props} />
  return (
    <Dialog
      title={`Message from ${isolateBidi(message.name)}`}
      onClose={props.onClose}
      returnTo={returnTo}
      onKey={key => move({ ArrowLeft: newer, ArrowRight: older }[key])}
      actions={
        <>
          <button
            type="button"
            className="button button-danger-quiet message-delete"
            onClick={() => props.onDelete(message)}
          >
            Delete
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={props.isForwarding}
            onClick={() => {
              if (!props.isForwarding) props.onForward(message)
            }}
          >
            {props.isForwarding ? 'Forwarding …' : 'Forward by email'}
          </button>
          <button type="button" className="button button-primary" onClick={props.onClose}>
            Close
          </button>
        </>
      }
    >
      <p className="visually-hidden" role="status">
        Message from {message.name}, {formatDateTime(message.createdAt)}
      </p>
      <div className="message-top">
        <p className="dialog-lead">
          Received {formatDateTime(message.createdAt)} via {typeLabels[message.formType]}
        </p>
        <div className="message-moves">
          <MoveButton label="Newer" sign="←" to={newer} onMove={move} />
          <MoveButton label="Older" sign="→" to={older} onMove={move} />
        </div>
      </div>
      <MessageDetails message={message} deliveryError={data.deliveryError} />
    </Dialog>
  )
}

type AbsentProps = Pick<MessageDialogProps, 'onClose' | 'returnTo'> & { readonly error: Error | null }

/** In place of a message that is still on its way, or no more there. */
function Absent({ error, onClose, returnTo }: AbsentProps) {
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <Dialog
      title="Message"
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          Close
        </button>
      }
    >
      {error ? (
        <p role="alert">
          This message could not be opened. {isGone ? 'It may have been deleted.' : error.message}
        </p>
      ) : (
        <div className="skeleton message-loading" role="status" aria-label="Loading" />
      )}
    </Dialog>
  )
}

interface MoveButtonProps {
  readonly label: string
  readonly sign: string
  readonly to: string | undefined
  readonly onMove: (to: string | undefined) => void
}

function MoveButton({ label, sign, to, onMove }: MoveButtonProps) {
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`${label} message`}
      aria-disabled={to === undefined}
      onClick={() => onMove(to)}
    >
      {label === 'Newer' ? `${sign} ${label}` : `${label} ${sign}`}
    </button>
  )
}
