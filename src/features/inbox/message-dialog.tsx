import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { useMayCall } from '../../portal/use-may-call.ts'
import { formatDateTime } from '../../ui/dates.ts'
import { Dialog, type ReturnsFocus } from '../../ui/dialog.tsx'
import { type Message, type MessageFilter, messages } from './contract.ts'
import { isolateBidi } from './format.ts'
import { MessageDetails } from './message-details.tsx'
import { OthersLooking } from './others-looking.tsx'
import { messageQuery, useMarkRead } from './queries.ts'

interface MessageDialogProps extends ReturnsFocus {
  readonly id: string
  readonly filter: MessageFilter
  /** The open message and the ids of its neighbours, if the loaded pages of the list have them. */
  readonly known: Message | undefined
  readonly newer: string | undefined
  readonly older: string | undefined
  readonly isForwarding: boolean
  readonly onMove: (id: string) => void
  /** Undefined when the user may not do it. */
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
  readonly onClose: () => void
}

/** Shows a message, whether or not it is on a loaded page, and marks it as read if the user may. */
export function MessageDialog({ id, filter, known, ...props }: MessageDialogProps) {
  const { returnTo, onForward, onDelete } = props
  const { data, error, refetch } = useQuery(messageQuery(id, filter, known))
  const markRead = useMarkRead()
  const marked = useRef<string | null>(null)
  const message = data?.message
  const canMarkRead = useMayCall()(messages.markRead) && message?.isRead === false
  const newer = props.newer ?? data?.newer ?? undefined
  const older = props.older ?? data?.older ?? undefined
  const move = (to: string | undefined) => {
    if (to) props.onMove(to)
  }

  useEffect(() => {
    // Only once: a failure shows a toast, and the next opening of the message tries again.
    if (!canMarkRead || marked.current === id) return
    marked.current = id
    markRead.mutate({ id })
  }, [id, canMarkRead, markRead])

  if (!message) return <MissingMessage error={error} onRetry={refetch} {...props} />
  return (
    <Dialog
      title={`Message from ${isolateBidi(message.name)}`}
      onClose={props.onClose}
      returnTo={returnTo}
      onKey={key => move({ ArrowLeft: newer, ArrowRight: older }[key])}
      actions={
        <>
          {onDelete && (
            <button
              type="button"
              className="button button-danger-quiet inbox-message-delete"
              onClick={() => onDelete(message)}
            >
              Delete
            </button>
          )}
          {onForward && (
            <button
              type="button"
              className="button"
              aria-disabled={props.isForwarding}
              onClick={() => {
                if (!props.isForwarding) onForward(message)
              }}
            >
              {props.isForwarding ? 'Forwarding …' : 'Forward by email'}
            </button>
          )}
          <button type="button" className="button button-primary" onClick={props.onClose}>
            Close
          </button>
        </>
      }
    >
      <p className="visually-hidden" role="status">
        Message from {message.name}, {formatDateTime(message.createdAt)}
      </p>
      <OthersLooking messageId={message.id} />
      <div className="inbox-message-top">
        <p className="dialog-lead">
          Received {formatDateTime(message.createdAt)} via {messageTypeLabels[message.formType]}
        </p>
        <div className="inbox-message-moves">
          <MoveButton label="Newer" sign="←" to={newer} onMove={move} />
          <MoveButton label="Older" sign="→" to={older} onMove={move} />
        </div>
      </div>
      <MessageDetails message={message} deliveryError={data.deliveryError} />
    </Dialog>
  )
}

type MissingMessageProps = Pick<MessageDialogProps, 'onClose' | 'returnTo'> & {
  readonly error: Error | null
  readonly onRetry: () => void
}

/** Shown while a message loads, or when it could not be loaded. */
function MissingMessage({ error, onRetry, onClose, returnTo }: MissingMessageProps) {
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <Dialog
      title="Message"
      onClose={onClose}
      returnTo={returnTo}
      actions={
        <>
          {error && !isGone && (
            <button type="button" className="button" onClick={onRetry}>
              Try again
            </button>
          )}
          <button type="button" className="button button-primary" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      {error ? (
        <p role="alert">
          This message could not be opened. {isGone ? 'It may have been deleted.' : error.message}
        </p>
      ) : (
        <div className="skeleton inbox-message-loading" role="status" aria-label="Loading" />
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
