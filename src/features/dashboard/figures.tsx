import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatShortTime, YOUR_TIME } from '../../ui/dates.ts'
import { useMayCall } from '../../ui/me-query.ts'
import { useCall, useChange } from '../../ui/use-call.ts'
import { messages } from '../inbox/contract.ts'
import {
  type Age,
  ANSWERS_COUNT_FOR,
  type Answers,
  dashboard,
  figures,
  MAX_COUNTED,
  type OverdueMessage,
  type Overdue as OverdueMessages,
} from './contract.ts'
import { describeDuration, describeWorkingHours, FirstReplyChart } from './first-reply-chart.tsx'

/** How the office answers. Loaded once the rest of the dashboard is there. */
export function Figures() {
  const { isPending: isFirst } = useCall(dashboard.read, {})
  // Again when somebody comes back to the window: what was overdue may be answered.
  const options = { enabled: !isFirst, refetchOnWindowFocus: true }
  const { data, error, isFetching, refetch } = useCall(figures.read, {}, options)
  if (data)
    return (
      <>
        <Overdue {...data.overdue} target={data.target} />
        <div className="dashboard-charts">
          <FirstReplyChart weeks={data.weeks} target={data.target} />
          <AgesChart ages={data.ages} />
          <AnswersChart {...data.answers} />
        </div>
      </>
    )
  if (!error) return <div className="skeleton dashboard-charts-loading" role="status" aria-label="Loading" />
  return (
    <section className="panel" role="alert">
      <p>
        <strong>The figures could not be loaded.</strong> {error.message}
      </p>
      <Button isIdle={isFetching} onClick={() => refetch()}>
        {isFetching ? 'Trying …' : 'Try again'}
      </Button>
    </section>
  )
}

function AgesChart({ ages }: { readonly ages: readonly Age[] }) {
  const bars = ages.map(age => ({
    key: age.received,
    label: describeAge(age),
    count: age.count,
    href: `/messages?status=open&received=${age.received}`,
    isLate: age.until === null,
  }))
  return (
    <section className="panel" aria-labelledby="ages">
      <h2 id="ages">Open, by age</h2>
      {bars.every(({ count }) => count === 0) ? (
        <p>No enquiry is open.</p>
      ) : (
        <Bars caption="Open enquiries by age" columns={['Age', 'Open enquiries']} bars={bars} />
      )}
    </section>
  )
}

function describeAge({ from, until }: Age): string {
  if (from === 0) return 'Under 1 day'
  if (until === null) return `Over ${from - 1} days`
  return `${from}–${until} days`
}

function AnswersChart({ since, people }: Answers) {
  const bars = people.map(({ id, name, count }) => ({
    key: id,
    label: name ?? 'Former colleague',
    count,
    href: `/messages?answeredBy=${id}&answeredSince=${since}`,
  }))
  return (
    <section className="panel" aria-labelledby="answers">
      <h2 id="answers">Answers, {ANSWERS_COUNT_FOR} days</h2>
      {bars.length === 0 ? (
        <p>Nobody has answered an enquiry in the last {ANSWERS_COUNT_FOR} days.</p>
      ) : (
        <Bars
          caption="Enquiries answered, by person"
          columns={['Person', 'Enquiries answered']}
          bars={bars}
        />
      )}
    </section>
  )
}

export interface Bar {
  readonly key: string
  readonly label: string
  readonly count: number
  readonly href: string
  /** Needs attention. */
  readonly isLate?: boolean
}

interface BarsProps {
  readonly caption: string
  /** What the rows and the figures are. */
  readonly columns: readonly [string, string]
  readonly bars: readonly Bar[]
}

/** A bar for each figure, in a table that also says the figure, so that nobody needs another one. */
function Bars({ caption, columns: [rows, counts], bars }: BarsProps) {
  const max = Math.max(...bars.map(({ count }) => count), 1)
  return (
    <table className="small dashboard-bars">
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{rows}</th>
          <th scope="col">{counts}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, count, href, isLate = false }) => (
          <tr key={key}>
            <th scope="row" className="clip quiet" dir="auto">
              {label}
            </th>
            <td>
              <span className="dashboard-bar">
                <svg aria-hidden="true" data-late={isLate}>
                  <rect width={`${(count / max) * 100}%`} height="100%" rx="2" />
                </svg>
                <a href={href}>{count.toLocaleString('en-AU')}</a>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Overdue({ count, messages: listed, target }: OverdueMessages & { readonly target: number | null }) {
  return (
    <section className="panel dashboard-overdue" aria-labelledby="overdue">
      <div className="line wrap between small dashboard-panel-head">
        <h2 id="overdue">Overdue</h2>
        {target !== null && <span className="quiet">first reply target {describeWorkingHours(target)}</span>}
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
  const { mutate, isPending } = useChange(
    { ...messages.change, stale: [figures.read.path] },
    { failed: ['Error', 'Failed to assign'] },
  )
  const link = useRef<HTMLAnchorElement>(null)
  // The button goes once it has worked.
  const take = () => mutate({ id, version, assignee: 'me' }, { onSuccess: () => link.current?.focus() })
  return (
    <li>
      <a className="clip dashboard-overdue-name" href={`/messages?message=${id}`} ref={link}>
        <bdi>{name}</bdi>
      </a>
      <span className="figures dashboard-overdue-due">
        was due{' '}
        <time dateTime={dueAt} title={YOUR_TIME}>
          {formatShortTime(dueAt)}
        </time>
      </span>
      <span className="badge" data-kind="danger">
        Overdue {describeDuration(lateBy)}
      </span>
      <span className="quiet dashboard-overdue-assignee">
        {assignee ? <bdi>{assignee.name}</bdi> : 'Unassigned'}
      </span>
      {mayTake && !assignee && (
        <Button
          className="button-small small dashboard-overdue-take"
          isIdle={isPending}
          aria-label={`Take it: ${name}`}
          onClick={take}
        >
          Take it
        </Button>
      )}
    </li>
  )
}
