import { lazy, type ReactNode, Suspense } from 'react'
import { ShortTime } from '../../../ui/date-time.tsx'
import { firstName } from '../canned/first-name.ts'
import type { Message } from '../contract.ts'
import { CONSUMER_GUIDE_SENT, type Entry, type Note } from '../conversation/contract.ts'
import { MergedReference } from '../merging/merged-reference.tsx'
import { undoTimeLeft } from '../replies/undo-time.ts'
import { Icon, type IconName } from '../toolbar/icon.tsx'
import { describeEvent } from '../toolbar/use-change.ts'
import { describeCall, describeOutcome } from './call-words.ts'

/** Loaded when a reply has failed. */
const RetryReply = lazy(async () => ({ default: (await import('../replies/retry-reply.tsx')).RetryReply }))

/** Whose words an entry has, or to whom it went. */
export interface Visitor {
  readonly name: string
  /** Null where all of the conversation is with one address. */
  readonly address: string | null
}

interface EntryProps {
  readonly message: Message
  readonly visitor: Visitor
  readonly entry: Entry
  readonly formatTime: (iso: string) => string
}

/** One step of the history: what was said, or in one line what was done. */
export function ThreadEntry({ message, visitor, entry, formatTime }: EntryProps) {
  if (entry.kind === 'event') return <EventLine entry={entry} formatTime={formatTime} />
  if (entry.kind === 'reply') return <ReplyCard message={message} visitor={visitor} entry={entry} />
  const isCall = entry.kind === 'call'
  return (
    <Card
      kind={entry.kind}
      {...(isCall && { icon: 'call' })}
      name={isCall ? authorOf(entry) : visitor.name}
      says={isCall ? describeCall(entry, firstName(visitor.name)) : 'by email'}
      {...(isCall && { chip: describeOutcome(entry) })}
      origin={entry.origin}
      time={<ShortTime iso={entry.createdAt} />}
      body={entry.body}
    />
  )
}

export function NoteCard({ note }: { readonly note: Note }) {
  return (
    <article className="inbox-entry" data-kind="note" data-merged={note.origin && ''}>
      <header className="line wrap small inbox-entry-head">
        <Icon name="note" />
        <strong>Note, staff only</strong>
        <span>{authorOf(note)}</span>
        <Origin origin={note.origin} />
        <ShortTime iso={note.createdAt} />
      </header>
      <p className="break inbox-text" dir="auto">
        {note.body}
      </p>
    </article>
  )
}

function ReplyCard({ message, visitor, entry }: Omit<EntryProps, 'formatTime'>) {
  const isOut = entry.delivery !== 'waiting'
  const to = [firstName(visitor.name), ...(visitor.address ? [visitor.address] : [])].join(', ')
  const isLeaving = undoTimeLeft(entry) > 0
  return (
    <Card
      kind="reply"
      icon="reply"
      name={authorOf(entry)}
      says={saysOf(entry, isOut, to)}
      origin={entry.origin}
      time={
        isLeaving ? (
          'Sending, not out yet'
        ) : (
          <>
            <ShortTime iso={entry.createdAt} />
            {entry.delivery && ` · ${deliveryLabels[entry.delivery]}`}
          </>
        )
      }
      body={entry.body}
    >
      {entry.cc.length > 0 && <p className="quiet small">Copy to {entry.cc.join(', ')}</p>}
      {entry.delivery === 'waiting' && entry.deliveryError && (
        <p className="quiet small">
          It is tried again: <q>{entry.deliveryError}</q>
        </p>
      )}
      <Suspense>{entry.delivery === 'failed' && <RetryReply message={message} entry={entry} />}</Suspense>
    </Card>
  )
}

function saysOf({ detail }: Entry, isOut: boolean, to: string): string {
  if (detail === CONSUMER_GUIDE_SENT) return `${isOut ? 'sent' : 'sending'} the Consumer Guide to ${to}`
  return isOut ? `replied to ${to}` : `replying to ${to}`
}

const deliveryLabels = { sent: 'Delivered', waiting: 'Not out yet', failed: 'Not sent' }

interface CardProps {
  readonly kind: Entry['kind']
  readonly icon?: IconName
  readonly name: string
  readonly says: string
  /** What came of a phone call. */
  readonly chip?: string
  readonly origin: Entry['origin']
  readonly time: ReactNode
  readonly body: string
  readonly children?: ReactNode
}

function Card({ kind, icon, name, says, chip, origin, time, body, children }: CardProps) {
  return (
    <article className="inbox-entry" data-kind={kind} data-merged={origin && ''}>
      <header className="line wrap small inbox-entry-head">
        {icon && <Icon name={icon} />}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>{says}</span>
        {chip && <span className="tiny inbox-call-outcome">{chip}</span>}
        <Origin origin={origin} />
        <span className="inbox-entry-time">{time}</span>
      </header>
      {body && (
        <p className="break inbox-text" dir="auto">
          {body}
        </p>
      )}
      {children}
    </article>
  )
}

function EventLine({ entry, formatTime }: Omit<EntryProps, 'message' | 'visitor'>) {
  return (
    <p className="quiet tiny break inbox-event">
      <span>
        {describeEvent(entry, formatTime)}
        {entry.deliveryError && (
          <>
            : <q>{entry.deliveryError}</q>
          </>
        )}
      </span>
      <ShortTime iso={entry.createdAt} />
    </p>
  )
}

/** The enquiry that something came with, when that is merged into this one. */
function Origin({ origin }: Pick<Entry, 'origin'>) {
  if (!origin) return null
  return (
    <span>
      in <MergedReference {...origin} />
    </span>
  )
}

const authorOf = ({ author }: Pick<Entry, 'author'>) => author?.name ?? 'Somebody who has left'
