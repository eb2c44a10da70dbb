import {
  memo,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { lazily } from '../../../ui/lazy-part.ts'
import type { OpenMessage } from '../contract.ts'
import type { Entry, Note } from '../conversation/contract.ts'
import { Enquiry } from '../conversation/enquiry.tsx'
import { toAsciiEmail } from '../list/format.ts'
import { useOfficeTime } from '../queries.ts'
import { undoTimeLeft } from '../replies/undo-time-left.ts'
import type { Visitor } from './entry-card.tsx'
import { NoteCard, ThreadEntry } from './thread-entry.tsx'

/** Loaded for a conversation of more than one page. */
const EarlierSteps = lazily(async () => (await import('./earlier-steps.tsx')).EarlierSteps)

/** Loaded where something is merged. */
const MergedEnquiry = lazily(async () => (await import('../merging/merged.tsx')).MergedEnquiry)

/** A conversation with more steps opens at its end, where somebody goes on. */
const LONG = 4
/** Steps that are drawn at once, about as many as are in sight. */
const NEWEST = 12
/** How many times as many are drawn in each further go, when the browser has time. */
const GROWTH = 4
/** Milliseconds until the next go, in which those before it are painted. */
const PAUSE = 50

interface ThreadProps {
  readonly open: OpenMessage
  /** Another number each time that somebody begins to answer: then its end is shown. */
  readonly asked: number
}

/** The enquiry, what is merged into it, and all that came after them, oldest first. Not drawn again while somebody types. */
export const Thread = memo(function Thread({ open, asked }: ThreadProps) {
  const { message, entries, notes, merged, earlier } = open
  const formatTime = useOfficeTime()
  const [oldest, ...steps] = useMemo(
    () => mergeTimeline({ message, entries, notes, merged }),
    [message, entries, notes, merged],
  )
  const visitorOf = useMemo(() => visitorsOf(message, entries, merged), [message, entries, merged])
  const end = useRef<HTMLDivElement>(null)
  const count = steps.length
  const drawn = useDrawn(message.id, count, end)
  const shown = useRef<{ readonly id: string; readonly last: string | undefined }>({ id: '', last: '' })
  const [paged, setPaged] = useState('')
  if (earlier !== null && paged !== message.id) setPaged(message.id)

  // After the frame has set the focus, which scrolls to its head on a phone.
  useEffect(() => {
    const { id, last } = shown.current
    const isOpened = id !== message.id && count > LONG
    const later = entries.slice(entries.findIndex(entry => entry.id === last) + 1)
    const isReplied = id === message.id && later.some(entry => undoTimeLeft(entry) > 0)
    if (isOpened || isReplied) end.current?.scrollIntoView({ block: 'end' })
    if (isOpened || id === message.id) shown.current = { id: message.id, last: entries.at(-1)?.id }
  }, [message.id, count, entries])

  useEffect(() => {
    if (asked > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [asked])

  const draw = (item: TimelineItem) => {
    if (item.kind === 'enquiry')
      return <Enquiry key={item.id} message={message} mail={open.mail} deliveryError={open.deliveryError} />
    if (item.kind === 'note') return <NoteCard key={item.id} id={message.id} note={item.note} />
    if (item.kind === 'entry') {
      const shared = { message, entry: item.entry, visitor: visitorOf(item.entry), formatTime }
      return <ThreadEntry key={item.id} {...shared} />
    }
    return <MergedEnquiry key={item.id} merged={item.merged} entry={item.entry} message={message} />
  }
  const earlierSteps = paged === message.id && drawn >= count && (
    <EarlierSteps key={`before ${message.id}`} id={message.id} cursor={earlier} />
  )
  // What is merged may be older than the enquiry.
  const isFirst = oldest?.kind === 'enquiry'

  return (
    <div className="inbox-thread">
      {!isFirst && earlierSteps}
      {oldest && draw(oldest)}
      {isFirst && earlierSteps}
      {steps.slice(-drawn).map(draw)}
      <div ref={end} />
    </div>
  )
})

/** Whose words an entry has, or to whom it went; with the address where there are several, or there were. */
function visitorsOf(
  message: OpenMessage['message'],
  entries: readonly Entry[],
  merged: readonly Merged[] = [],
) {
  const corrections = entries.filter(({ action }) => action === 'address-corrected')
  const hasSeveral = corrections.length > 0 || merged.some(({ isSameAddress }) => !isSameAddress)
  return ({ origin, to, createdAt, deliveredAt = createdAt }: Entry): Visitor => {
    const sender = merged.find(({ id }) => id === origin?.id)
    const isOwn = sender?.isSameAddress ?? true
    const old = isOwn && corrections.find(correction => correction.createdAt > deliveredAt)
    const { name, email } = sender ?? message
    const address = toAsciiEmail(to ?? (old ? old.detail : null) ?? email)
    return { name, address, hasSeveral }
  }
}

/** How many of the steps are drawn, counted from the newest: once all are, also those that come later. */
function useDrawn(id: string, count: number, end: RefObject<HTMLElement | null>): number {
  const [last, setLast] = useState({ id, drawn: NEWEST })
  const drawn = last.id === id ? last.drawn : NEWEST
  const wasAtEnd = useRef(false)
  useEffect(() => {
    if (count === 0 || drawn === Number.POSITIVE_INFINITY) return
    const next = drawn < count ? drawn * GROWTH : Number.POSITIVE_INFINITY
    const grow = setTimeout(() => {
      // Somebody may have scrolled up since.
      wasAtEnd.current = Number(end.current?.getBoundingClientRect().bottom) <= innerHeight + 1
      startTransition(() => setLast({ id, drawn: next }))
    }, PAUSE)
    return () => clearTimeout(grow)
  }, [id, count, drawn, end])
  // Not every browser keeps what is in sight in its place.
  useLayoutEffect(() => {
    if (drawn > NEWEST && wasAtEnd.current) end.current?.scrollIntoView({ block: 'end' })
  }, [drawn, end])
  return drawn
}

type Merged = NonNullable<OpenMessage['merged']>[number]

type TimelineItem =
  /** What the visitor of the open message sent. */
  | { readonly kind: 'enquiry'; readonly id: string }
  /** The same of what is merged into it. */
  | { readonly kind: 'merged'; readonly id: string; readonly merged: Merged; readonly entry: Entry }
  | { readonly kind: 'entry'; readonly id: string; readonly entry: Entry }
  | { readonly kind: 'note'; readonly id: string; readonly note: Note }

type Timed = Pick<OpenMessage, 'entries' | 'notes' | 'merged'> & {
  readonly message: Pick<OpenMessage['message'], 'id' | 'createdAt'>
}

/**
 * Enquiries, entries and notes by time. All come in order, so one pass merges them; of the same moment, the enquiry of the open
 * message is first, and a note is last. What is merged into that may be older than it.
 */
export function mergeTimeline({ message, entries, notes, merged = [] }: Timed): TimelineItem[] {
  const items: TimelineItem[] = []
  const origins = new Map(merged.map(each => [each.id, each]))
  const before = entries.findIndex(({ createdAt, origin }) => !origin || createdAt >= message.createdAt)
  const own = before < 0 ? entries.length : before
  let next = 0
  const addNotes = (until: string) => {
    for (let note = notes[next]; note && note.createdAt < until; note = notes[++next])
      items.push({ kind: 'note', id: note.id, note })
  }
  const addOwn = () => {
    addNotes(message.createdAt)
    items.push({ kind: 'enquiry', id: message.id })
  }
  entries.forEach((entry, at) => {
    if (at === own) addOwn()
    addNotes(entry.createdAt)
    const origin = origins.get(entry.origin?.id ?? '')
    const { id } = entry
    if (origin && origin.id === id) items.push({ kind: 'merged', id, merged: origin, entry })
    else items.push({ kind: 'entry', id, entry })
  })
  if (own === entries.length) addOwn()
  for (const note of notes.slice(next)) items.push({ kind: 'note', id: note.id, note })
  return items
}
