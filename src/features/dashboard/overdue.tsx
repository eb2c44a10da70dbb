import { useRef } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { formatShortTime, YOUR_TIME } from '../../ui/dates.ts'
import { messages } from '../inbox/contract.ts'
import { MAX_COUNTED } from './contract.ts'
import type { OverdueMessage, Overdue as OverdueMessages } from './contract-figures.ts'
import { describeDuration, describeWorkingHours } from './durations.ts'
import { useTakeMessage } from './queries.ts'

/** The messages that have waited longest, each a link to it. */
export function Overdue({
  count,
  messages: listed,
  target,
}: OverdueMessages & { readonly target: number | null }) {
  return (
    <section className="panel dashboard-overdue" aria-labelledby="overdue">
      <div className="dashboard-panel-head">
        <h2 id="overdue">Overdue</h2>
        {target !== null && <span>first reply target {describeWorkingHours(target)}</span>}
        {count > 0 && (
          <a href="/messages?overdue=true">All {count >= MAX_COUNTED ? '1,000+' : count} overdue</a>
        )}
      </div>
      {count === 0 && <p>Nothing is overdue.</p>}
      {listed.length > 0 && (
        <ul>
          {listed.map(message => (
            <Row key={message.id} {...message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ id, name, dueAt, lateBy, assignee, version }: OverdueMessage) {
  const mayTake = useMayCall()(messages.change)
  const { mutate, isPending } = useTakeMessage()
  const link = useRef<HTMLAnchorElement>(null)
  // The button goes once it has worked.
  const take = () => mutate({ id, version }, { onSuccess: () => link.current?.focus() })
  return (
    <li>
      <a className="dashboard-overdue-name" href={`/messages?message=${id}`} ref={link}>
        <bdi>{name}</bdi>
      </a>
      <span className="dashboard-overdue-due">
        was due{' '}
        <time dateTime={dueAt} title={YOUR_TIME}>
          {formatShortTime(dueAt)}
        </time>
      </span>
      <span className="badge" data-kind="danger">
        Overdue {describeDuration(lateBy)}
      </span>
      <span className="dashboard-overdue-assignee">
        {assignee ? <bdi>{assignee.name}</bdi> : 'Unassigned'}
      </span>
      {mayTake && !assignee && (
        <button
          type="button"
          className="button dashboard-overdue-take"
          aria-disabled={isPending}
          aria-label={`Take it: ${name}`}
          onClick={take}
        >
          Take it
        </button>
      )}
    </li>
  )
}
