import type { ReactNode } from 'react'
import { InnerLink } from '../../../ui/button.tsx'
import { ShortTime } from '../../../ui/date-time.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import type { Message } from '../contract.ts'
import { CONSUMER_GUIDE_SENT, type Entry, type Note } from '../conversation/contract.ts'
import { firstName } from '../list/format.ts'
import { undoTimeLeft } from '../replies/undo-time-left.ts'
import { Icon, type IconName } from '../toolbar/icon.tsx'
import { describeCall, describeEvent, describeOutcome } from './entry-words.ts'

/** Loaded when a reply has failed. */
const RetryReply = lazily(async () => (await import('../replies/retry-reply.tsx')).RetryReply)

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
  if (entry.kind === 'inbound')
    return <EntryCard {...entry} kind="inbound" name={visitor.name} says="by email" />
  const says = describeCall(entry, firstName(visitor.name))
  return (
    <EntryCard
      {...entry}
      kind="call"
      icon="call"
      name={authorOf(entry)}
      says={says}
      chip={describeOutcome(entry)}
    />
  )
}

export function NoteCard({ note }: { readonly note: Note }) {
  return <EntryCard {...note} kind="note" icon="note" name="Note, staff only" says={authorOf(note)} />
}

function ReplyCard({ message, visitor, entry }: Omit<EntryProps, 'formatTime'>) {
  const to = [firstName(visitor.name), ...(visitor.address ? [visitor.address] : [])].join(', ')
  const time = (
    <>
      <ShortTime iso={entry.createdAt} />
      {entry.delivery && ` · ${deliveryLabels[entry.delivery]}`}
    </>
  )
  return (
    <EntryCard
      {...entry}
      kind="reply"
      icon="reply"
      name={authorOf(entry)}
      says={saysOf(entry, to)}
      time={undoTimeLeft(entry) > 0 ? 'Sending, not out yet' : time}
    >
      {entry.cc.length > 0 && <p className="quiet small">Copy to {entry.cc.join(', ')}</p>}
      {entry.delivery === 'waiting' && entry.deliveryError && (
        <p className="quiet small">
          It is tried again: <q>{entry.deliveryError}</q>
        </p>
      )}
      {entry.delivery === 'failed' && <RetryReply message={message} entry={entry} />}
    </EntryCard>
  )
}

function saysOf({ detail, delivery }: Entry, to: string): string {
  const isOut = delivery !== 'waiting'
  if (detail === CONSUMER_GUIDE_SENT) return `${isOut ? 'sent' : 'sending'} the Consumer Guide to ${to}`
  return isOut ? `replied to ${to}` : `replying to ${to}`
}

const deliveryLabels = { sent: 'Delivered', waiting: 'Not out yet', failed: 'Not sent' }

interface EntryCardProps extends Pick<Entry, 'body' | 'createdAt' | 'origin'> {
  /** What leads here finds it by this. */
  readonly place?: string
  readonly kind: 'enquiry' | 'reply' | 'inbound' | 'call' | 'note'
  readonly icon?: IconName
  readonly name: string
  readonly says: string
  /** What came of a phone call. */
  readonly chip?: string
  /** In place of the time at which it was said. */
  readonly time?: ReactNode
  readonly children?: ReactNode
}

/** What somebody has said. */
export function EntryCard({ place, kind, icon, name, says, chip, origin, body, ...props }: EntryCardProps) {
  const { createdAt, time = <ShortTime iso={createdAt} />, children } = props
  return (
    <article
      id={place}
      tabIndex={place ? -1 : undefined}
      className="inbox-entry"
      data-kind={kind}
      data-merged={origin && ''}
    >
      <header className="line wrap small inbox-entry-head">
        {icon && <Icon name={icon} />}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>{says}</span>
        {chip && <span className="tiny inbox-call-outcome">{chip}</span>}
        {origin && (
          <span>
            in <MergedReference {...origin} />
          </span>
        )}
        <span>{time}</span>
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

/** Where the enquiry of a message stands in the conversation. */
export const placeOf = (id: string) => `enquiry-${id}`

/** The reference of what is merged into the open message: it leads to its enquiry, and in another window to the conversation. */
export function MergedReference({ id, reference }: NonNullable<Entry['origin']>) {
  return (
    <InnerLink
      href={`?message=${id}`}
      onFollow={link => {
        // In a very long conversation it may not be read yet: it is, once somebody sees the beginning.
        const place = document.getElementById(placeOf(id)) ?? link.closest('.inbox-thread')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
        place?.scrollIntoView({ block: 'start' })
      }}
    >
      {reference}
    </InnerLink>
  )
}

function EventLine({ entry, formatTime }: Pick<EntryProps, 'entry' | 'formatTime'>) {
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

const authorOf = ({ author }: Pick<Entry, 'author'>) => author?.name ?? 'Somebody who has left'
