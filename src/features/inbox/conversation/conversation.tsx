import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { meQuery, useMayCall } from '../../../portal/me-query.ts'
import { formatDateTime, YOUR_TIME } from '../../../ui/dates.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { undoLast } from '../../../ui/undo-toast.ts'
import type { ReturnsFocus } from '../../../ui/use-modal.ts'
import { type Message, messages, type OpenMessage } from '../contract.ts'
import { isolateBidi } from '../format.ts'
import { MessagePane } from '../message-pane.tsx'
import { OthersLooking } from '../others-looking.tsx'
import { Composer } from './composer.tsx'
import type { ComposerKind } from './composer-forms.tsx'
import { DetailsColumn, DetailsSummary } from './details-column.tsx'
import { Icon } from './icon.tsx'
import { hasJustOpenedNext, openNext } from './next-enquiry.ts'
import { nextStatus } from './snooze-times.ts'
import { Thread } from './thread.tsx'
import { Toolbar } from './toolbar.tsx'
import { UndoBar, useDeliveryUpdates, useUndo } from './undo-bar.tsx'
import { type ChangeRequest, useChange } from './use-change.ts'
import { type ReplyTo, useWriting } from './use-writing.ts'

/** Loaded when it is opened. */
const ForwardDialog = lazy(async () => ({ default: (await import('./forward-dialog.tsx')).ForwardDialog }))

interface ConversationProps extends ReturnsFocus {
  readonly open: OpenMessage
  /** Whether only the copy of the list is known yet. */
  readonly isPartial: boolean
  readonly replyTo: ReplyTo
  readonly moves: ReactNode
  readonly onKey: (key: string) => void
  readonly onOpen: (id: string) => void
  /** Goes to a neighbour; undefined when there is none. */
  readonly onNext: (() => void) | undefined
  readonly isForwarding: boolean
  /** Undefined when the user may not do it. */
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
  readonly onClose: () => void
}

/** An open message: what was said, what can be done with it, and where to answer. */
export function Conversation({ open, isPartial, ...props }: ConversationProps) {
  const { message } = open
  const mayAnswer = useMayCall()(messages.change)
  const userId = useQuery(meQuery).data?.id ?? ''
  const change = useChange(id => {
    // In place of the one that came after it, if the pane is still open.
    if (shownId() !== null && shownId() !== id) props.onOpen(id)
  })
  const { onNext } = props
  const decide = (request: ChangeRequest) => {
    const { status } = request.fields
    if (status && hasJustOpenedNext()) return
    const isDoneWith = status === 'closed' || status === 'spam'
    change.mutate(isDoneWith && onNext ? { ...request, after: () => openNext(onNext) } : request)
  }
  const writing = useWriting(message.id, props.replyTo)
  const undo = useUndo(open, userId, () => writing.write('reply'))
  const [forwarding, setForwarding] = useState<Message | null>(null)
  useDeliveryUpdates(open)
  useWritingKeys(mayAnswer ? writing.write : undefined, undo?.undo)
  const removeTag = (tag: string) =>
    change.mutate({ message, fields: { tags: message.tags.filter(it => it !== tag) } })

  return (
    <>
      <MessagePane
        id={message.id}
        title={`Message from ${isolateBidi(message.name)}`}
        lead={
          <span title={YOUR_TIME}>
            Received {formatDateTime(message.createdAt)} via {messageTypeLabels[message.formType]}
          </span>
        }
        head={!isPartial && <OthersLooking messageId={message.id} />}
        moves={props.moves}
        onKey={props.onKey}
        onClose={props.onClose}
        returnTo={props.returnTo}
        toolbar={
          mayAnswer &&
          !isPartial && (
            <Toolbar
              key={message.id}
              message={message}
              onChange={decide}
              isForwarding={props.isForwarding}
              onForward={() => props.onForward?.(message)}
              onForwardTo={() => setForwarding(message)}
              onPhoneCall={() => writing.write('call')}
              onDelete={props.onDelete && (() => props.onDelete?.(message))}
            />
          )
        }
        details={
          <DetailsColumn open={open} onOpen={props.onOpen} onRemoveTag={mayAnswer ? removeTag : undefined} />
        }
        detailsSummary={<DetailsSummary {...open} />}
        footer={
          mayAnswer &&
          !isPartial && (
            <>
              {undo && <UndoBar key={undo.entry.id} entry={undo.entry} onUndo={undo.undo} />}
              <Composer
                key={message.id}
                open={open}
                kind={writing.kind}
                asked={writing.asked}
                onKind={writing.write}
                onEnd={writing.end}
              />
            </>
          )
        }
        bar={
          mayAnswer &&
          !isPartial &&
          writing.kind === null && <BottomBar message={message} onWrite={writing.write} onChange={decide} />
        }
      >
        <p className="visually-hidden" role="status">
          Message from {message.name}, {formatDateTime(message.createdAt)}
        </p>
        <Thread open={open} asked={writing.asked} />
      </MessagePane>
      <Suspense>
        {forwarding && <ForwardDialog message={forwarding} onClose={() => setForwarding(null)} />}
      </Suspense>
    </>
  )
}

function useWritingKeys(write: ((kind: ComposerKind) => void) | undefined, undo: (() => void) | undefined) {
  useShortcuts({
    r: write && (() => write('reply')),
    n: write && (() => write('note')),
    z: () => undoLast() || undo?.(),
  })
}

/** The id of the open message, when the reply comes. */
const shownId = () => new URLSearchParams(location.search).get('message')

interface BottomBarProps {
  readonly message: Message
  readonly onWrite: (kind: 'reply' | 'note') => void
  readonly onChange: (change: ChangeRequest) => void
}

/** The three steps of a phone. */
function BottomBar({ message, onWrite, onChange }: BottomBarProps) {
  const next = nextStatus(message)
  return (
    <>
      <button type="button" className="button button-primary" onClick={() => onWrite('reply')}>
        <Icon name="reply" /> Reply
      </button>
      <button type="button" className="button inbox-note-button" onClick={() => onWrite('note')}>
        <Icon name="note" /> Note
      </button>
      <button type="button" className="button" aria-label={next.label} onClick={() => onChange(next.change)}>
        {next.label.replace(' enquiry', '')}
      </button>
    </>
  )
}
