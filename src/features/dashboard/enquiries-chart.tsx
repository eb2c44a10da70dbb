import { messageTypeLabels } from '../../i18n/texts.ts'
import { useCall } from '../../ui/use-call.ts'
import { formTypes } from '../enquiry-form/contract.ts'
import { type MessageType, messageTypes } from '../inbox/contract.ts'
import { DAYS_SHOWN, dashboard, type Enquiries } from './contract.ts'

/** The enquiries of the last days as a chart, and as a table for people who cannot see the chart or prefer a table. */
export function EnquiriesChart() {
  const { data, isError } = useCall(dashboard.read, {})
  const enquiries = data?.enquiries
  // The panel above already shows the error.
  if (isError && !enquiries) return null
  return (
    <section className="panel" aria-labelledby="enquiries">
      <h2 id="enquiries">Enquiries in the last {DAYS_SHOWN} days</h2>
      {enquiries ? <Days {...enquiries} /> : <div className="skeleton dashboard-chart-bars" />}
    </section>
  )
}

type Day = Enquiries['days'][number]

function Days({ days, timeZone }: Enquiries) {
  const types = messageTypes.filter(
    type => formTypes.some(form => form === type) || days.some(day => countOf(day, type) > 0),
  )
  const total = sum(days.map(totalOf))
  const max = Math.max(...days.map(totalOf), 0)
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return <p>Too many enquiries to draw.</p>
  if (total === 0) return <p>No enquiries in this period.</p>
  return (
    <>
      <p className="dashboard-chart-sum">
        <a href={listOf(first)}>
          <strong>{figure(total)}</strong>
        </a>{' '}
        in total, at most {max} in a day.
        {days.length < DAYS_SHOWN && ` Only the last ${days.length} days could be counted.`}
      </p>
      <Bars days={days} types={types} max={max} />
      <p className="line between quiet small dashboard-chart-ends">
        <span>{nameDay(first.date)}</span>
        <span>Today</span>
      </p>
      <ul className="dashboard-chart-legend">
        {types.map(type => (
          <li key={type} className="line">
            <svg
              className={`dashboard-chart-key dashboard-chart-${type}`}
              viewBox="0 0 1 1"
              aria-hidden="true"
            >
              <rect width="1" height="1" />
            </svg>
            {messageTypeLabels[type]}{' '}
            <a href={listOf(first, type)}>
              <strong>{figure(sum(days.map(day => countOf(day, type))))}</strong>
            </a>
          </li>
        ))}
      </ul>
      <details className="dashboard-chart-table">
        <summary className="fold screen-only">Show as a table</summary>
        <Table days={days} types={types} />
        <p className="field-hint">Days begin at midnight in the office’s time zone, {timeZone}.</p>
      </details>
    </>
  )
}

/** In units of the viewBox, which the browser scales to the available width. */
const BAR = { width: 14, every: 20, height: 100 }

function Bars({ days, types, max }: { days: readonly Day[]; types: readonly MessageType[]; max: number }) {
  const newest = days.at(-1)
  return (
    <svg
      className="dashboard-chart-bars"
      viewBox={`0 0 ${days.length * BAR.every} ${BAR.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Enquiries by day: at most ${max} in a day, ${newest ? totalOf(newest) : 0} today. The table below has every day.`}
    >
      {days.map((day, at) => (
        <g key={day.date}>
          <title>{describe(day, types)}</title>
          <rect className="dashboard-chart-ground" x={at * BAR.every} width={BAR.every} height={BAR.height} />
          {stack(day, types, max).map(({ type, y, height }) => (
            <rect
              key={type}
              className={`dashboard-chart-${type}`}
              x={at * BAR.every + (BAR.every - BAR.width) / 2}
              y={y}
              width={BAR.width}
              height={height}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** The segments of a day's bar, from the bottom up. */
function stack(day: Day, types: readonly MessageType[], max: number) {
  let top = BAR.height
  return types
    .filter(type => countOf(day, type) > 0)
    .map(type => {
      const height = (countOf(day, type) / max) * BAR.height
      top -= height
      return { type, y: top, height }
    })
}

function Table({ days, types }: { days: readonly Day[]; types: readonly MessageType[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="dashboard-chart-scroll" aria-label="Enquiries as a table" tabIndex={0}>
      <table className="figures small dashboard-chart-figures">
        <caption className="visually-hidden">Enquiries by day and type, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {types.map(type => (
              <th key={type} scope="col">
                {messageTypeLabels[type]}
              </th>
            ))}
            <th scope="col">All</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(day => (
            <tr key={day.date}>
              <th scope="row">{nameDay(day.date)}</th>
              {types.map(type => (
                <td key={type}>{countOf(day, type)}</td>
              ))}
              <td>
                <a href={`/messages?received=${day.received}`}>{totalOf(day)}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The list of what came since the beginning of a day. */
const listOf = ({ received }: Day, type?: MessageType) =>
  `/messages?${type ? `formType=${type}&` : ''}received=${received.split('/')[0]}/..`

const countOf = ({ counts }: Day, type: MessageType) => counts[type] ?? 0
const totalOf = (day: Day) => sum(messageTypes.map(type => countOf(day, type)))
const figure = (count: number) => count.toLocaleString('en-AU')
const sum = (figures: readonly number[]) => figures.reduce((all, figure) => all + figure, 0)

const dayFormat = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const nameDay = (date: string) => dayFormat.format(new Date(date))

function describe(day: Day, types: readonly MessageType[]): string {
  const parts = types
    .filter(type => countOf(day, type) > 0)
    .map(type => `${countOf(day, type)} ${messageTypeLabels[type]}`)
  return `${nameDay(day.date)}: ${parts.join(', ') || 'none'}`
}
