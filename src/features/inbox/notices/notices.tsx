import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { formatShortTime } from '../../../ui/dates.ts'
import { useChange } from '../../../ui/use-call.ts'
import { type Notice, notices } from './contract.ts'

/** Below the figures that are read again with every change of an enquiry. */
const noticesQuery = queryOptions({
  queryKey: ['dashboard', 'notices'],
  queryFn: () => call(notices.list, {}),
})

/** Shown at first, so that the list stays in sight. */
const FEW = 3

interface NoticesProps {
  /** The message that is open. */
  readonly openId: string | null
  /** In how many enquiries something waits. */
  readonly count: number
}

/** What colleagues have left for the user, above the list. It goes when somebody looks at the enquiry. */
export function Notices({ openId, count }: NoticesProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = useQuery(noticesQuery)
  const [isWhole, setWhole] = useState(false)
  const client = useQueryClient()
  const forget = useChange(notices.delete, {
    done(_reply, { messageId }) {
      client.setQueryData(noticesQuery.queryKey, before => before && without(before, messageId))
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      return undefined
    },
    failed: ['Error', 'These are still marked as waiting for you'],
    // What was opened is there the next time.
    isExpected: () => isQuiet.current,
  })
  const isQuiet = useRef(false)
  const all = data?.notices ?? []
  const until = all[0]?.createdAt
  const isOpen = all.some(({ messageId }) => messageId === openId)
  const { mutate } = forget
  useLook(isOpen && until ? `${openId} ${until}` : null, () => {
    isQuiet.current = true
    if (openId && until) mutate({ messageId: openId, until })
  })
  if (!until) return null

  function forgetAll() {
    isQuiet.current = false
    // The button goes.
    heading.current?.focus()
    if (until) mutate({ until })
  }

  return (
    <section className="inbox-notices" aria-labelledby={id}>
      <div className="line between">
        <h2 id={id} ref={heading} tabIndex={-1}>
          <span role="status">
            {count === 1 ? 'One enquiry is waiting for you' : `${count} are waiting for you`}
          </span>
        </h2>
        <Button kind="quiet" isIdle={forget.isPending} onClick={forgetAll}>
          Mark all as seen
        </Button>
      </div>
      <ul>
        {(isWhole ? all : all.slice(0, FEW)).map(notice => (
          <li key={`${notice.kind} ${notice.messageId} ${notice.createdAt}`}>
            <a href={`/messages?message=${notice.messageId}`}>
              <strong dir="auto">{notice.name}</strong> {describe(notice)}{' '}
              <small className="quiet">
                {notice.reference} · {formatShortTime(notice.createdAt)}
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
  const colleague = by ?? 'A colleague'
  return kind === 'assigned' ? `${colleague} assigned it to you` : `${colleague} named you in a note`
}
