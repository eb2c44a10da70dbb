import type { ReactNode } from 'react'
import { WEEKS_SHOWN, type Week } from './contract-figures.ts'
import { describeDuration, describeWorkingHours } from './durations.ts'
import { FirstReplyPlot } from './first-reply-plot.tsx'

interface FirstReplyChartProps {
  readonly weeks: readonly Week[]
  readonly target: number | null
}

/** Within which working time half and nine in ten of the messages got their first reply, week by week. */
export function FirstReplyChart({ weeks, target }: FirstReplyChartProps) {
  const latest = weeks.findLast(({ count }) => count > 0)
  const [first] = weeks
  return (
    <section className="panel" aria-labelledby="first-reply">
      <h2 id="first-reply">First reply, by week</h2>
      {!latest || !first ? (
        <p>No enquiry got its first reply in the last {WEEKS_SHOWN} weeks.</p>
      ) : (
        <>
          <FirstReplyPlot weeks={weeks} target={target} />
          <p className="dashboard-chart-ends">
            <span>{nameWeek(first)}</span>
            <span>This week</span>
          </p>
          <ul className="dashboard-chart-legend">
            <Key kind="median">
              half within <strong>{durationOf(latest.median)}</strong>
            </Key>
            <Key kind="ninetieth">
              9 in 10 within <strong>{durationOf(latest.ninetieth)}</strong>
            </Key>
            {target !== null && <Key kind="target">target {describeDuration(target)}</Key>}
          </ul>
          <details className="dashboard-chart-table">
            <summary>Show as a table</summary>
            <Table weeks={weeks} />
            <p className="field-hint">
              In the office’s working hours, from the enquiry to the first reply or call.
              {target !== null && ` The target is ${describeWorkingHours(target)}.`}
            </p>
          </details>
        </>
      )}
    </section>
  )
}

function Key({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <li>
      <svg className="dashboard-plot-key" data-line={kind} aria-hidden="true">
        <line x1="0" x2="100%" y1="50%" y2="50%" />
      </svg>
      <span>{children}</span>
    </li>
  )
}

function Table({ weeks }: Pick<FirstReplyChartProps, 'weeks'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="dashboard-chart-scroll" aria-label="First replies as a table" tabIndex={0}>
      <table className="dashboard-chart-figures">
        <caption className="visually-hidden">First replies by week, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            <th scope="col">Half within</th>
            <th scope="col">9 in 10 within</th>
            <th scope="col">Enquiries</th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map(week => (
            <tr key={week.monday}>
              <th scope="row">{nameWeek(week)}</th>
              <td>{durationOf(week.median)}</td>
              <td>{durationOf(week.ninetieth)}</td>
              <td>
                <a href={`/messages?firstReplyWeek=${week.monday}`}>{week.count.toLocaleString('en-AU')}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const durationOf = (minutes: number | null) => {
  if (minutes === null) return '–'
  // No working time has passed.
  return minutes === 0 ? 'no working time (answered outside hours)' : describeDuration(minutes)
}
const dayFormat = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const nameWeek = ({ monday }: Week) => dayFormat.format(new Date(monday))
