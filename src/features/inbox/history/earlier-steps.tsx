import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { useControlKey } from '../../../ui/shortcuts.ts'
import type { OpenMessage } from '../contract.ts'
import { loadEarlier } from './history-pages.ts'

/** Pixels: what came before is read when the beginning of what is shown is this close. */
const AHEAD = 600

interface EarlierStepsProps {
  /** Of the message. */
  readonly id: string
  /** Null once the beginning is shown. */
  readonly cursor: string | null
}

/**
 * Reads what came before, when somebody scrolls up to it or presses the button, and keeps what is in sight in its place. What
 * failed is read again by the button only.
 */
export function EarlierSteps({ id, cursor }: EarlierStepsProps) {
  const client = useQueryClient()
  const block = useRef<HTMLDivElement>(null)
  const [reading, setReading] = useState<string | null>(null)
  const [failure, setFailure] = useState('')
  const isReading = reading !== null && reading === cursor
  useSamePlace(block, cursor)

  async function read(all = false) {
    if (isReading || cursor === null) return false
    setReading(cursor)
    setFailure('')
    try {
      let next: string | null = cursor
      do {
        await loadEarlier(client, id, next)
        next = all ? earlierOf(client, id) : null
      } while (next !== null)
      return true
    } catch (error) {
      setReading(null)
      const isOffline = !(error instanceof ApiError) || error.isOffline
      setFailure(isOffline ? 'The server could not be reached.' : error.message)
      return false
    }
  }
  const latest = useRef(read)
  latest.current = read

  useEffect(() => {
    if (failure || cursor === null || !block.current) return
    const observer = new IntersectionObserver(
      seen => {
        if (seen.at(-1)?.isIntersecting) latest.current()
      },
      { root: scrollerOf(block.current), rootMargin: `${AHEAD}px 0px` },
    )
    observer.observe(block.current)
    return () => observer.disconnect()
  }, [failure, cursor])

  // What is printed must not depend on how far somebody has scrolled: the browser's key reads the rest first.
  const print = () =>
    void read(true).then(isAll => isAll && requestAnimationFrame(() => setTimeout(() => window.print())))
  useControlKey('p', cursor === null ? undefined : print)

  return (
    <div className="small snug inbox-earlier" ref={block}>
      {failure && <p role="alert">What came before could not be read. {failure}</p>}
      {cursor !== null && (
        <>
          <Button isIdle={isReading} onClick={() => void read()}>
            {isReading ? 'Reading …' : 'Show earlier'}
          </Button>
          <p className="inbox-earlier-on-paper">
            What came before is not printed. Ctrl P in the conversation prints all of it.
          </p>
        </>
      )}
    </div>
  )
}

const earlierOf = (client: QueryClient, id: string) =>
  client
    .getQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] })
    .find(([, open]) => open?.earlier)?.[1]?.earlier ?? null

/** Not every browser keeps what is in sight in its place when something is added above it. */
function useSamePlace(block: RefObject<HTMLElement | null>, cursor: string | null) {
  const shown = useRef(cursor)
  const place = useRef<{ readonly step: Element; readonly top: number } | null>(null)
  const step = block.current?.nextElementSibling
  if (step && shown.current !== cursor) place.current ??= { step, top: step.getBoundingClientRect().top }
  useLayoutEffect(() => {
    shown.current = cursor
    if (!place.current) return
    const { step, top } = place.current
    place.current = null
    const scroller = scrollerOf(step) ?? window
    scroller.scrollBy(0, step.getBoundingClientRect().top - top)
  }, [cursor])
}

/** Null for the page itself. */
function scrollerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (parent.scrollHeight > parent.clientHeight && /auto|scroll/.test(getComputedStyle(parent).overflowY))
      return parent
  return null
}
