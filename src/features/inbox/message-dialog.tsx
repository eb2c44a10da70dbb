import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { useMayCall } from '../../portal/use-may-call.ts'
import { formatDateTime } from '../../ui/dates.ts'
import type { ReturnsFocus } from '../../ui/dialog.tsx'
import { type Message, type MessageFilter, messages } from './contract.ts'
import { isolateBidi } from './format.ts'
import { MessageDetails } from './message-details.tsx'
import { MessagePane } from './message-pane.tsx'
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

  const frame = { id, onClose: props.onClose, returnTo }
  if (!message)
    return (
      <MessagePane {...frame} title="Message">
        <MissingMessage error={error} onRetry={refetch} />
      </MessagePane>
    )
  return (
    <MessagePane
      {...frame}
      title={`Message from ${isolateBidi(message.name)}`}
      lead={`Received ${formatDateTime(message.createdAt)} via ${messageTypeLabels[message.formType]}`}
      onKey={key => move({ ArrowLeft: newer, ArrowRight: older }[key])}
      moves={
        <div>
          <MoveButton label="Newer" sign="←" to={newer} onMove={move} />
          <MoveButton label="Older" sign="→" to={older} onMove={move} />
        </div>
      }
      toolbar={
        <>
          {onForward && (
            <button
              type="button"
              className="button button-quiet"
              aria-disabled={props.isForwarding}
              onClick={() => {
                if (!props.isForwarding) onForward(message)
              }}
            >
              {props.isForwarding ? 'Forwarding …' : 'Forward by email'}
            </button>
          )}
          {onDelete && (
            <button type="button" className="button button-danger-quiet" onClick={() => onDelete(message)}>
              Delete
            </button>
          )}
        </>
      }
    >
      <p className="visually-hidden" role="status">
        Message from {message.name}, {formatDateTime(message.createdAt)}
      </p>
      <MessageDetails message={message} deliveryError={data.deliveryError} />
    </MessagePane>
  )
}

/** Shown while a message loads, or when it could not be loaded. */
function MissingMessage({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <div className="skeleton inbox-message-loading" role="status" aria-label="Loading" />
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <>
      <p role="alert">
        This message could not be opened. {isGone ? 'It may have been deleted.' : error.message}
      </p>
      {!isGone && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </>
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
