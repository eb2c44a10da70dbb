import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { formatShortTime } from '../../../ui/dates.ts'
import { useChange } from '../../../ui/use-call.ts'
import type { ViewCounts } from '../messages/filter-contract.ts'
import { type Notice, notices } from './contract.ts'

/** Below the figures that are read again with every change of an enquiry. */
const noticesQuery = queryOptions({
  queryKey: ['dashboard', 'notices'],
  queryFn: () => call(notices.list, {}),
})

type Forgotten = z.input<typeof notices.delete.input>

/** Shown at first, so that the list stays in sight. */
const FEW = 3

interface NoticesProps {
  /** The message that is open. */
  readonly openId: string | null
  readonly counts: Pick<ViewCounts, 'notices' | 'snoozed'>
}

/** What waits for the user to look at it, above the list. It goes when they open the enquiry. */
export function Notices({ openId, counts: { notices: count, snoozed } }: NoticesProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery(noticesQuery)
  const known = useRef(snoozed)
  // A snooze ends without an event.
  useEffect(() => {
    if (known.current !== snoozed) void refetch()
    known.current = snoozed
  }, [snoozed, refetch])
  const [isWhole, setWhole] = useState(false)
  const client = useQueryClient()
  function done(_reply: unknown, { messageId }: Forgotten) {
    client.setQueryData(noticesQuery.queryKey, before => before && without(before, messageId))
    void client.invalidateQueries({ queryKey: ['dashboard'] })
    return undefined
  }
  // One that could not be forgotten is there the next time.
  const { mutate: forgetOpen } = useChange(notices.delete, { done, isExpected: () => true })
  const forgetAll = useChange(notices.delete, { done, failed: ['Error', 'They are still waiting for you'] })
  const all = data?.notices ?? []
  const until = all[0]?.createdAt
  const isOpen = all.some(({ messageId }) => messageId === openId)
  useLook(isOpen && until ? `${openId} ${until}` : null, () => {
    if (openId && until) forgetOpen({ messageId: openId, until })
  })
  if (error && !data)
    return (
      <div className="line between inbox-notices">
        <p role="alert">What is waiting for you could not be read</p>
        <Button kind="quiet" onClick={() => refetch()}>
          Try again
        </Button>
      </div>
    )
  if (!until) return null
  return (
    <section className="inbox-notices" aria-labelledby={id}>
      <div className="line between">
        <h2 id={id} ref={heading} tabIndex={-1}>
          <span role="status">
            {count === 1 ? 'One enquiry is waiting for you' : `${count} are waiting for you`}
          </span>
        </h2>
        <Button
          kind="quiet"
          isIdle={forgetAll.isPending}
          onClick={() => {
            // The button goes with all of this.
            document.querySelector('h1')?.focus()
            forgetAll.mutate({ until })
          }}
        >
          Mark all as seen
        </Button>
      </div>
      <ul>
        {(isWhole ? all : all.slice(0, FEW)).map(notice => (
          <li key={`${notice.kind} ${notice.messageId} ${notice.createdAt}`}>
            <a href={`/messages?message=${notice.messageId}`}>
              <strong dir="auto">{notice.name}</strong> {describe(notice)}{' '}
              <small className="quiet">
                <span>{notice.reference}</span> · <span>{formatShortTime(notice.createdAt)}</span>
              </small>
            </a>
          </li>
        ))}
      </ul>
      {!isWhole && all.length > FEW && (
        <Button
          kind="quiet"
          onClick={() => {
            heading.current?.focus()
            setWhole(true)
          }}
        >
          Show all {all.length}
        </Button>
      )}
    </section>
  )
}

/** Does something once for each name, when the window has the focus: nobody looks at one that has not. */
function useLook(name: string | null, look: () => void) {
  const latest = useRef(look)
  latest.current = look
  const seen = useRef<string | null>(null)
  useEffect(() => {
    function begin() {
      if (name === null || name === seen.current || !document.hasFocus()) return
      seen.current = name
      latest.current()
    }
    begin()
    window.addEventListener('focus', begin)
    return () => window.removeEventListener('focus', begin)
  }, [name])
}

const without = (before: { notices: Notice[] }, id: string | undefined) => ({
  notices: before.notices.filter(({ messageId }) => id !== undefined && messageId !== id),
})

function describe({ kind, by }: Notice): string {
  if (kind === 'answered') return '– a new email has come'
  if (kind === 'snoozed') return '– your snooze has ended'
  if (kind === 'unsent') return '– your scheduled reply was not sent'
  const colleague = by ?? 'A colleague'
  return kind === 'assigned' ? `${colleague} assigned it to you` : `${colleague} named you in a note`
}
