import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
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

/** What colleagues have left for the user, above the list. It goes when the enquiry is opened. @param openId the open one */
export function Notices({ openId }: { readonly openId: string | null }) {
  const id = useId()
  const { data } = useQuery(noticesQuery)
  const [isWhole, setWhole] = useState(false)
  const client = useQueryClient()
  const forget = useChange(notices.delete, {
    done(_reply, { messageId }) {
      client.setQueryData(noticesQuery.queryKey, before => before && without(before, messageId))
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      return undefined
    },
    // It is there the next time.
    isExpected: () => true,
  })
  const all = data?.notices ?? []
  const isOpen = openId !== null && all.some(({ messageId }) => messageId === openId)
  const { mutate } = forget
  useEffect(() => {
    if (isOpen && openId) mutate({ messageId: openId })
  }, [isOpen, openId, mutate])
  if (all.length === 0) return null
  return (
    <section className="inbox-notices" aria-labelledby={id}>
      <div className="line between">
        <h2 id={id}>
          <span role="status">
            {all.length === 1 ? 'One enquiry is waiting for you' : `${all.length} are waiting for you`}
          </span>
        </h2>
        <Button kind="quiet" isIdle={forget.isPending} onClick={() => mutate({})}>
          Mark all as seen
        </Button>
      </div>
      <ul>
        {(isWhole ? all : all.slice(0, FEW)).map(notice => (
          <li key={`${notice.kind} ${notice.messageId}`}>
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
        <Button kind="quiet" onClick={() => setWhole(true)}>
          Show all {all.length}
        </Button>
      )}
    </section>
  )
}

const without = (before: { notices: Notice[] }, id: string | undefined) => ({
  notices: before.notices.filter(({ messageId }) => id !== undefined && messageId !== id),
})

function describe({ kind, by }: Notice): string {
  const colleague = by ?? 'A colleague'
  return kind === 'assigned' ? `${colleague} assigned it to you` : `${colleague} named you in a note`
}
