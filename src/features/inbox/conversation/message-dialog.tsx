import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { preloadForms } from '../composer/composer.tsx'
import { type Message, messages } from '../contract.ts'
import { preloadMail } from '../history/thread-entry.tsx'
import type { InboxFilter } from '../messages/filter-contract.ts'
import { messageQuery, useMarkRead } from '../queries.ts'
import { Conversation, type ConversationProps, preloadDetails } from './conversation.tsx'
import { MessagePane } from './message-pane.tsx'

/** Loads what the next keys need. */
export function preloadParts(mayAnswer: boolean): void {
  preloadDetails()
  preloadMail()
  if (mayAnswer) preloadForms()
}

interface MessageDialogProps
  extends Pick<
    ConversationProps,
    'replyTo' | 'isForwarding' | 'onForward' | 'onDelete' | 'onClose' | 'returnTo'
  > {
  readonly id: string
  readonly filter: InboxFilter
  /** The open message and the ids of its neighbours, if the loaded pages of the list have them. */
  readonly known: Message | undefined
  readonly newer?: string | undefined
  readonly older?: string | undefined
  /** Opens when the open one is done; null where none does. */
  readonly next?: string | null | undefined
  readonly onMove: (id: string) => void
}

/** Shows a message, whether or not it is on a loaded page, and marks it as read if the user may. */
export function MessageDialog({ id, filter, known, onMove, ...props }: MessageDialogProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(messageQuery(id, filter, known))
  const { newer = data?.newer ?? undefined, older = data?.older ?? undefined, ...list } = props
  const { next = older ?? newer, ...shared } = list
  const move = (to: string | undefined) => {
    if (to) onMove(to)
  }
  const shown = useRef(id)
  shown.current = id
  useShortcuts({ j: older ? () => move(older) : undefined, k: newer ? () => move(newer) : undefined })
  useReading(data?.message)
  const target = data?.message.mergedInto
  // The address of a message that is merged into another leads to that one.
  useEffect(() => {
    if (target) onMove(target)
  }, [target, onMove])

  if (!data)
    return (
      <MessagePane id={id} title="Message" onClose={shared.onClose} returnTo={shared.returnTo}>
        <MissingMessage error={error} onRetry={refetch} />
      </MessagePane>
    )
  return (
    <Conversation
      {...shared}
      open={data}
      isPartial={isPlaceholderData}
      onKey={key => move({ ArrowLeft: newer, ArrowRight: older }[key])}
      onOpen={onMove}
      onNext={next ? () => shown.current === id && move(next) : undefined}
      moves={
        <div>
          <Button kind="quiet" aria-label="Newer enquiry" isIdle={!newer} onClick={() => move(newer)}>
            ←<span className="beyond-phone"> Newer</span>
          </Button>
          <Button kind="quiet" aria-label="Older enquiry" isIdle={!older} onClick={() => move(older)}>
            <span className="beyond-phone">Older </span>→
          </Button>
        </div>
      }
    />
  )
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
      {!isGone && <Button onClick={onRetry}>Try again</Button>}
    </>
  )
}
