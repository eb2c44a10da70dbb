import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { useSaveOnLeaving } from '../../../ui/autosave/use-autosave.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDateTime, YOUR_TIME } from '../../../ui/dates.ts'
import { lazily, lazyPart } from '../../../ui/lazy-part.ts'
import { meQuery, useMayCall } from '../../../ui/me-query.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { undoLast } from '../../../ui/toast/undo-toast.ts'
import { Composer } from '../composer/composer.tsx'
import type { ComposerKind } from '../composer/composer-forms.tsx'
import { type Message, messages, type OpenMessage } from '../contract.ts'
import { draftSession, saveAllDrafts, scheduledOf } from '../drafts/drafts.ts'
import { Thread } from '../history/thread.tsx'
import { initialsOf, isolateBidi } from '../list/format.ts'
import type { Other } from '../presence/contract.ts'
import { usePresence } from '../presence/use-presence.ts'
import { UndoBar, useDeliveryUpdates, useUndo } from '../replies/undo-bar.tsx'
import { Icon } from '../toolbar/icon.tsx'
import { hasJustOpenedNext, openNext } from '../toolbar/next-enquiry.ts'
import { nextStatus } from '../toolbar/snooze-times.ts'
import { Toolbar, type ToolbarProps } from '../toolbar/toolbar.tsx'
import { type ChangeRequest, useChange } from '../toolbar/use-change.ts'
import { MessagePane, type MessagePaneProps } from './message-pane.tsx'

const DownloadDialog = lazily(async () => (await import('./download-dialog.tsx')).DownloadDialog)
const ScheduledReplies = lazily(async () => (await import('../replies/scheduled.tsx')).ScheduledReplies)
const ForwardDialog = lazily(async () => (await import('../toolbar/forward-dialog.tsx')).ForwardDialog)

const ErasureRequest = lazily(async () => (await import('./erasure-request.tsx')).ErasureRequest)
const detailsColumn = lazyPart(async () => (await import('./details-column.tsx')).DetailsColumn)

/** Loads what stands beside a conversation before one is opened. */
export const preloadDetails = () => detailsColumn.preload()

export interface ConversationProps
  extends Pick<MessagePaneProps, 'moves' | 'onKey' | 'onClose' | 'returnTo'>,
    Pick<ToolbarProps, 'isForwarding'> {
  readonly open: OpenMessage
  /** Whether only the copy of the list is known yet. */
  readonly isPartial: boolean
  readonly replyTo: ReplyTo
  readonly onOpen: (id: string) => void
  /** Goes to a neighbour; undefined when there is none. */
  readonly onNext: (() => void) | undefined
  /** Undefined when the user may not do it. */
  readonly onForward: ((message: Message) => void) | undefined
  readonly onDelete: ((message: Message) => void) | undefined
}

/** An open message: what was said, what can be done with it, and where to answer. */
export function Conversation({ open, isPartial, ...props }: ConversationProps) {
  const { replyTo, onOpen, onNext, isForwarding, onForward, onDelete, ...frame } = props
  const { message } = open
  const mayCall = useMayCall()
  const mayAnswer = mayCall(messages.change)
  const mayExport = mayCall(messages.export)
  const isWritable = mayAnswer && !isPartial
  const userId = useQuery(meQuery).data?.id ?? ''
  const change = useChange(id => {
    // In place of the one that came after it, if the pane is still open.
    const shownId = new URLSearchParams(location.search).get('message')
    if (shownId !== null && shownId !== id) onOpen(id)
  })
  const decide = (request: ChangeRequest) => {
    const { status } = request.fields
    if (status && hasJustOpenedNext()) return
    const isDoneWith = status === 'closed' || status === 'spam'
    change.mutate(isDoneWith && onNext ? { ...request, after: () => openNext(onNext) } : request)
  }
  const writing = useWriting(open, replyTo, userId)
  const undo = useUndo(open, userId, () => writing.write('reply'))
  const [forwarding, setForwarding] = useState<Message | null>(null)
  const [downloading, setDownloading] = useState<Message | null>(null)
  useDeliveryUpdates(open)
  const writeByKey = (kind: ComposerKind) => (mayAnswer ? () => writing.write(kind) : undefined)
  useShortcuts({ r: writeByKey('reply'), n: writeByKey('note'), z: () => undoLast() || undo?.undo() })
  const removeTag = (tag: string) =>
    change.mutate({ message, fields: { tags: message.tags.filter(it => it !== tag) } })

  return (
    <>
      <MessagePane
        {...frame}
        id={message.id}
        title={`Message from ${isolateBidi(message.name)}`}
        lead={
          <span title={YOUR_TIME}>
            Received {formatDateTime(message.createdAt)} via {messageTypeLabels[message.formType]}
          </span>
        }
        head={!isPartial && <OthersLooking messageId={message.id} />}
        toolbar={
          isWritable && (
            <Toolbar
              key={message.id}
              message={message}
              onChange={decide}
              isForwarding={isForwarding}
              onForward={() => onForward?.(message)}
              onForwardTo={() => setForwarding(message)}
              onPhoneCall={() => writing.write('call')}
              onDownload={mayExport ? () => setDownloading(message) : undefined}
              onDelete={onDelete && (() => onDelete(message))}
            />
          )
        }
        details={
          <Suspense>
            <detailsColumn.Part open={open} onOpen={onOpen} onRemoveTag={mayAnswer ? removeTag : undefined} />
          </Suspense>
        }
        detailsSummary={<DetailsSummary {...open} />}
        footer={
          isWritable && (
            <>
              {open.scheduled && <ScheduledReplies open={open} onCancelled={() => writing.write('reply')} />}
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
          isWritable &&
          writing.kind === null && <BottomBar message={message} onWrite={writing.write} onChange={decide} />
        }
      >
        <p className="visually-hidden" role="status">
          Message from {message.name}, {formatDateTime(message.createdAt)}
        </p>
        {open.erasure && <ErasureRequest message={message} erasure={open.erasure} onErased={frame.onClose} />}
        <Thread open={open} asked={writing.asked} />
      </MessagePane>
      {forwarding && <ForwardDialog message={forwarding} onClose={() => setForwarding(null)} />}
      {downloading && <DownloadDialog message={downloading} onClose={() => setDownloading(null)} />}
    </>
  )
}

/** The folded details in one line. */
function DetailsSummary({ samePerson }: OpenMessage) {
  const own = samePerson.filter(({ isSameAddress }) => isSameAddress)
  const hints = samePerson.length - own.length
  const others = own.length > 0 && `${own.length} other ${own.length === 1 ? 'enquiry' : 'enquiries'}`
  const counts = [others, hints > 0 && `${hints} with the same telephone`].filter(Boolean)
  if (counts.length === 0) return 'Details'
  return (
    <>
      Details and <strong>{counts.join(', ')}</strong>
    </>
  )
}

interface Writing {
  readonly id: string
  readonly kind: ComposerKind | null
  /** How often somebody has asked to write; 0 while only a draft is shown again. */
  readonly asked: number
}

/** A reply that somebody wants to begin. */
export interface ReplyTo {
  /** Of the message; null once it has begun. */
  readonly id: string | null
  readonly onBegun: () => void
}

/** What is being written about the message on the screen. At first that is its draft, if there is one. */
function useWriting(open: OpenMessage, replyTo: ReplyTo, userId: string) {
  const { message, draftFiles } = open
  const { id } = message
  const client = useQueryClient()
  const [last, setLast] = useState<Writing | null>(null)
  useSaveOnLeaving(saveAllDrafts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another message is shown, and when the inbox is left
  useEffect(() => saveAllDrafts, [id])
  const hasDraft = (kind: 'reply' | 'note') => draftSession(client, id, kind).read().body !== ''
  const hasReply = !scheduledOf(open, userId) && (draftFiles || hasDraft('reply'))
  const drafted = hasReply ? 'reply' : hasDraft('note') ? 'note' : null
  const { kind, asked }: Writing = last?.id === id ? last : { id, kind: drafted, asked: 0 }
  const shown = useRef({ id, kind })
  useLayoutEffect(() => {
    shown.current = { id, kind }
  })
  /** What comes late, when another message is on the screen, changes nothing there. @param to null folds the composer */
  const write = (to: ComposerKind | null) => {
    if (shown.current.id === id) setLast({ id, kind: to, asked: asked + 1 })
  }
  /** Folds the composer of what is done, unless something else is being written by now. */
  const end = (done: ComposerKind) => {
    if (shown.current.kind === done) write(null)
  }
  useEffect(() => {
    if (replyTo.id !== id) return
    write('reply')
    replyTo.onBegun()
  })
  return { kind, asked, write, end } as const
}

interface BottomBarProps extends Pick<ToolbarProps, 'message' | 'onChange'> {
  readonly onWrite: (kind: 'reply' | 'note') => void
}

/** The three steps of a phone. */
function BottomBar({ message, onWrite, onChange }: BottomBarProps) {
  const next = nextStatus(message)
  return (
    <>
      <Button kind="primary" onClick={() => onWrite('reply')}>
        <Icon name="reply" /> Reply
      </Button>
      <Button className="inbox-note-button" onClick={() => onWrite('note')}>
        <Icon name="note" /> Note
      </Button>
      <Button aria-label={next.label} onClick={() => onChange(next.change)}>
        {next.label.replace(' enquiry', '')}
      </Button>
    </>
  )
}

/** Faces beside the words; more would push the title away. */
const MAX_AVATARS = 3

/** Who else is looking at a message, or writing: "MT Mei is looking". Takes no space while nobody is. */
function OthersLooking({ messageId }: { messageId: string }) {
  const others = usePresence(messageId)
  return (
    <p
      className="line tiny if-any inbox-looking"
      role="status"
      title={others.map(({ name }) => name).join(', ')}
    >
      {others.slice(0, MAX_AVATARS).map(({ id, name }) => (
        <span key={id} className="inbox-looking-avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
      ))}
      {others.length > 0 && <span className="break">{describe(others)}</span>}
    </p>
  )
}

/** Who writes matters more than who looks: there is room for one of both. */
function describe(others: readonly Other[]): string {
  const writing = others.filter(({ isWriting }) => isWriting)
  const doing = writing.length > 0 ? 'writing' : 'looking'
  const [first, second, ...more] = writing.length > 0 ? writing : others
  if (!first) return ''
  if (!second) return `${firstName(first)} is ${doing}`
  if (more.length === 0) return `${firstName(first)} and ${firstName(second)} are ${doing}`
  return `${firstName(first)} and ${more.length + 1} others are ${doing}`
}

const firstName = ({ name }: Other) => name.split(' ')[0]
