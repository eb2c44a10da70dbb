import type { ReactNode } from 'react'
import { WEEKS_SHOWN, type Week } from './contract.ts'

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
          <p className="line between quiet small dashboard-chart-ends">
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
            <summary className="fold screen-only">Show as a table</summary>
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
    <li className="line">
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
      <table className="figures small dashboard-chart-figures">
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

/** Percent of the width and the height that are left for the labels of the lines and for what is at the edge. */
const EDGE = { left: 15, right: 3, top: 6, bottom: 6 }
/** Lines of a scale, without that of zero. */
const STEPS = 3
/** Working hours between two lines of a scale. */
const SCALES = [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 20, 40, 80, 160, 400]

type Value = 'median' | 'ninetieth'

/** Positions are percentages, so that lines and text keep their size at every width. */
function FirstReplyPlot({ weeks, target }: { weeks: readonly Week[]; target: number | null }) {
  const step = stepFor(Math.max(target ?? 0, ...weeks.map(({ ninetieth }) => ninetieth ?? 0)))
  const y = (minutes: number) =>
    `${100 - EDGE.bottom - (minutes / (step * STEPS)) * (100 - EDGE.top - EDGE.bottom)}%`
  const x = (at: number) => `${EDGE.left + ((at + 0.5) / weeks.length) * (100 - EDGE.left - EDGE.right)}%`
  const across = { x1: `${EDGE.left}%`, x2: '100%' }
  return (
    <svg className="dashboard-plot" role="img" aria-label={describe(weeks)}>
      {Array.from({ length: STEPS + 1 }, (_, number) => step * number).map(minutes => (
        <g key={minutes}>
          <line className="dashboard-plot-grid" {...across} y1={y(minutes)} y2={y(minutes)} />
          <text x="0" y={y(minutes)} dominantBaseline="middle">
            {minutes === 0 ? '0' : describeDuration(minutes)}
          </text>
        </g>
      ))}
      {target !== null && (
        <line className="dashboard-plot-line" data-line="target" {...across} y1={y(target)} y2={y(target)} />
      )}
      {(['ninetieth', 'median'] as const).map(value => (
        <g key={value} className="dashboard-plot-line" data-line={value}>
          {segments(weeks, value).map(({ at, from, to }) => (
            <line key={at} x1={x(at)} x2={x(at + 1)} y1={y(from)} y2={y(to)} />
          ))}
          {points(weeks, value).map(({ at, minutes }) => (
            <circle key={at} cx={x(at)} cy={y(minutes)} r="3.5" />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** Working minutes between two lines, so that the highest value is below the last one. */
function stepFor(highest: number): number {
  const hours = SCALES.find(each => each * STEPS * 60 >= highest) ?? Math.ceil(highest / STEPS / 60)
  return hours * 60
}

function points(weeks: readonly Week[], value: Value) {
  return weeks.flatMap(({ [value]: minutes }, at) => (minutes === null ? [] : [{ at, minutes }]))
}

/** From one week to the next. A week without replies is a gap. */
function segments(weeks: readonly Week[], value: Value) {
  return points(weeks, value).flatMap(({ at, minutes: from }) => {
    const to = weeks[at + 1]?.[value] ?? null
    return to === null ? [] : [{ at, from, to }]
  })
}

function describe(weeks: readonly Week[]): string {
  const latest = weeks.findLast(({ count }) => count > 0)
  const { median, ninetieth } = latest ?? {}
  return `First replies in the last ${weeks.length} weeks: at last half within ${describeDuration(median ?? 0)}, nine in ten within ${describeDuration(ninetieth ?? 0)}. The table below has every week.`
}

const HOUR = 60
/** Hours from which a fraction says nothing any more. */
const ROUNDED_FROM = 10

/** Working minutes as people say them: `25 min`, `3.4 h`, `44 h`. */
export function describeDuration(minutes: number): string {
  if (minutes < HOUR) return `${minutes} min`
  const digits = minutes < ROUNDED_FROM * HOUR ? 1 : 0
  return `${Number((minutes / HOUR).toFixed(digits)).toLocaleString('en-AU')} h`
}

/** In words, for what is explained: `8 working hours`. */
export function describeWorkingHours(minutes: number): string {
  const hours = minutes / HOUR
  return `${hours.toLocaleString('en-AU', { maximumFractionDigits: 1 })} working ${hours === 1 ? 'hour' : 'hours'}`
}
