import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import type { ReturnsFocus } from '../../../ui/dialog/dialog.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { type Message, messages } from '../contract.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'
import type { ReplyTo } from '../presence/use-writing.ts'
import { messageQuery, useMarkRead } from '../queries.ts'
import { Conversation } from './conversation.tsx'
import { MessagePane } from './message-pane.tsx'

interface MessageDialogProps extends ReturnsFocus {
  readonly id: string
  readonly filter: MessageFilter
  /** The open message and the ids of its neighbours, if the loaded pages of the list have them. */
  readonly known: Message | undefined
  readonly newer: string | undefined
  readonly older: string | undefined
  readonly replyTo: ReplyTo
  readonly isForwarding: boolean
  readonly onMove: (id: string) => void
  /** Undefined when the user may not do it. */
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
  readonly onClose: () => void
}

/** Shows a message, whether or not it is on a loaded page, and marks it as read if the user may. */
export function MessageDialog({ id, filter, known, ...props }: MessageDialogProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(messageQuery(id, filter, known))
  const newer = props.newer ?? data?.newer ?? undefined
  const older = props.older ?? data?.older ?? undefined
  const move = (to: string | undefined) => {
    if (to) props.onMove(to)
  }
  const next = older ?? newer
  const shown = useRef(id)
  shown.current = id
  useShortcuts({ j: older ? () => move(older) : undefined, k: newer ? () => move(newer) : undefined })
  useReading(data?.message)
  useMergedInto(data?.message.mergedInto, props.onMove)

  if (!data)
    return (
      <MessagePane id={id} title="Message" onClose={props.onClose} returnTo={props.returnTo}>
        <MissingMessage error={error} onRetry={refetch} />
      </MessagePane>
    )
  return (
    <Conversation
      open={data}
      isPartial={isPlaceholderData}
      onKey={key => move({ ArrowLeft: newer, ArrowRight: older }[key])}
      onOpen={props.onMove}
      onNext={next ? () => shown.current === id && move(next) : undefined}
      replyTo={props.replyTo}
      isForwarding={props.isForwarding}
      onForward={props.onForward}
      onDelete={props.onDelete}
      onClose={props.onClose}
      returnTo={props.returnTo}
      moves={
        <div>
          <MoveButton label="Newer" sign="←" to={newer} onMove={move} />
          <MoveButton label="Older" sign="→" to={older} onMove={move} />
        </div>
      }
    />
  )
}

/** The address of a message that is merged into another leads to that one. */
function useMergedInto(target: string | undefined, onMove: (id: string) => void) {
  useEffect(() => {
    if (target) onMove(target)
  }, [target, onMove])
}

/** Marks a message as read when it is opened, and not again: a failure shows a toast, and who marks it as unread means it. */
function useReading(message: Message | undefined) {
  const markRead = useMarkRead()
  const marked = useRef<string | null>(null)
  const mayMark = useMayCall()(messages.markRead)
  useEffect(() => {
    if (!message || marked.current === message.id) return
    marked.current = message.id
    if (mayMark && !message.isRead) markRead.mutate(message)
  }, [message, mayMark, markRead])
}

/** Shown while a message loads, or when it could not be loaded. */
function MissingMessage({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <div className="skeleton inbox-message-loading" role="status" aria-label="Loading" />
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <>
      <p role="alert">
        This enquiry could not be opened. {isGone ? 'It may have been deleted.' : error.message}
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
      aria-label={`${label} enquiry`}
      aria-disabled={to === undefined}
      onClick={() => onMove(to)}
    >
      {label === 'Older' && <span className="beyond-phone">Older </span>}
      {sign}
      {label === 'Newer' && <span className="beyond-phone"> Newer</span>}
    </button>
  )
}
