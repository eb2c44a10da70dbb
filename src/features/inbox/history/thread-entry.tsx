import { Suspense } from 'react'
import { ShortTime } from '../../../ui/date-time.tsx'
import { lazily, lazyPart } from '../../../ui/lazy-part.ts'
import { CONSUMER_GUIDE_SENT, type Entry, type Note, ON_PAGE } from '../conversation/contract.ts'
import { firstName } from '../list/format.ts'
import { undoTimeLeft } from '../replies/undo-time-left.ts'
import { EntryCard, type EntryProps, EntryText, type MailProps } from './entry-card.tsx'
import { describeCall, describeEvent, describeOutcome } from './entry-words.ts'

/** Loaded for a reply with copies, and when one has failed. */
const Delivery = lazily(async () => (await import('../replies/delivery.tsx')).Delivery)

/** Loaded for mail: what is beside its words. */
const mailHead = lazyPart(async () => (await import('./mail-parts.tsx')).MailHead)
const mailParts = lazyPart(async () => (await import('./mail-parts.tsx')).MailParts)
const Attachments = lazily(async () => (await import('./mail-parts.tsx')).Attachments)
const NoteFiles = lazily(async () => (await import('./mail-parts.tsx')).NoteFiles)

export function preloadMail() {
  mailHead.preload()
  mailParts.preload()
}

/** One step of the history: what was said, or in one line what was done. */
export function ThreadEntry({ message, visitor, entry, formatTime }: EntryProps) {
  const { kind, from, automatic } = entry
  if (kind === 'event') return <EventLine entry={entry} formatTime={formatTime} />
  if (kind === 'reply') return <ReplyCard message={message} visitor={visitor} entry={entry} />
  if (kind === 'inbound' && entry.detail === ON_PAGE)
    return (
      <EntryCard {...entry} kind="inbound" name={visitor.name} says="on the page of the enquiry">
        {entry.attachments && <Attachments id={message.id} attachments={entry.attachments} />}
      </EntryCard>
    )
  if (kind === 'inbound')
    return (
      <EntryCard
        {...entry}
        {...mailCard({ message, visitor, mail: entry })}
        kind={automatic ? 'automatic' : 'inbound'}
        name={from?.name || from?.address || visitor.name}
      />
    )
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

/** What a mail has in place of a plain text: its words are there at once, and what is beside them a moment later. */
export function mailCard(props: MailProps) {
  const { body, from } = props.mail
  if (!from) return { says: 'by email', body }
  const says = (
    <Suspense fallback="by email">
      <mailHead.Part {...props} />
    </Suspense>
  )
  const children = (
    <Suspense fallback={<EntryText>{body}</EntryText>}>
      <mailParts.Part {...props} />
    </Suspense>
  )
  return { says, body: '', children }
}

export function NoteCard({ id, note }: { readonly id: string; readonly note: Note }) {
  return (
    <EntryCard {...note} kind="note" icon="note" name="Note, staff only" says={saysOfNote(note)}>
      {note.attachments && <NoteFiles id={id} note={note} />}
    </EntryCard>
  )
}

/** Who an email says it is from can be forged. */
const saysOfNote = (note: Note) => (note.isMail ? `${authorOf(note)}, by email` : authorOf(note))

function ReplyCard({ message, visitor, entry }: Omit<EntryProps, 'formatTime'>) {
  const { cc, delivery, deliveryError, createdAt } = entry
  const to = [firstName(visitor.name), ...(visitor.hasSeveral ? [visitor.address] : [])].join(', ')
  const isSending = undoTimeLeft(entry) > 0
  // Who got it and who did not is said by address.
  const isDetailed = !isSending && delivery !== null && (cc.length > 0 || delivery === 'failed')
  const time = (
    <>
      <ShortTime iso={createdAt} />
      {delivery && !isDetailed && ` · ${deliveryLabels[delivery]}`}
    </>
  )
  return (
    <EntryCard
      {...entry}
      kind="reply"
      icon="reply"
      name={authorOf(entry)}
      says={saysOf(entry, to)}
      time={isSending ? 'Sending, not out yet' : time}
    >
      {entry.attachments && <Attachments id={message.id} attachments={entry.attachments} />}
      {isDetailed ? (
        <Delivery message={message} visitor={visitor} entry={entry} />
      ) : (
        cc.length > 0 && <p className="quiet small">Copy to {cc.join(', ')}</p>
      )}
      {delivery === 'waiting' && deliveryError && (
        <p className="quiet small">
          It is tried again: <q>{deliveryError}</q>
        </p>
      )}
    </EntryCard>
  )
}

function saysOf({ detail, delivery }: Entry, to: string): string {
  const isOut = delivery !== 'waiting'
  if (detail === CONSUMER_GUIDE_SENT) return `${isOut ? 'sent' : 'sending'} the Consumer Guide to ${to}`
  return isOut ? `replied to ${to}` : `replying to ${to}`
}

const deliveryLabels = { sent: 'Delivered', waiting: 'Not out yet', failed: 'Not sent' }

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
