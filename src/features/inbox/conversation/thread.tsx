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
import type { OpenMessage } from '../contract.ts'
import { Enquiry } from './enquiry.tsx'
import { undoTimeLeft } from './outgoing.ts'
import { NoteCard, ThreadEntry } from './thread-entry.tsx'
import { mergeTimeline } from './timeline.ts'
import { useOfficeTime } from './use-options.ts'

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

/** The enquiry and all that came after it, oldest first. Not drawn again while somebody types. */
export const Thread = memo(function Thread({ open, asked }: ThreadProps) {
  const { message, entries, notes } = open
  const formatTime = useOfficeTime()
  const items = useMemo(() => mergeTimeline({ entries, notes }), [entries, notes])
  const end = useRef<HTMLDivElement>(null)
  const drawn = useDrawn(message.id, items.length, end)
  const shown = useRef({ id: '', count: 0 })

  // After the frame has set the focus, which scrolls to its head on a phone.
  useEffect(() => {
    const { id, count } = shown.current
    const isOpened = id !== message.id && items.length > LONG
    const isReplied = id === message.id && entries.slice(count).some(entry => undoTimeLeft(entry) > 0)
    if (isOpened || isReplied) end.current?.scrollIntoView({ block: 'end' })
    if (isOpened || id === message.id) shown.current = { id: message.id, count: entries.length }
  }, [message.id, items, entries])

  useEffect(() => {
    if (asked > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [asked])

  return (
    <div className="inbox-thread">
      <Enquiry message={message} deliveryError={open.deliveryError} />
      {items
        .slice(-drawn)
        .map(item =>
          item.kind === 'note' ? (
            <NoteCard key={item.note.id} note={item.note} />
          ) : (
            <ThreadEntry key={item.entry.id} message={message} entry={item.entry} formatTime={formatTime} />
          ),
        )}
      <div ref={end} />
    </div>
  )
})

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
