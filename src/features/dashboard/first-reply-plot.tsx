import type { Week } from './contract-figures.ts'
import { describeDuration } from './durations.ts'

/** Percent of the width and the height that are left for the labels of the lines and for what is at the edge. */
const EDGE = { left: 15, right: 3, top: 6, bottom: 6 }
/** Lines of a scale, without that of zero. */
const STEPS = 3
/** Working hours between two lines of a scale. */
const SCALES = [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 20, 40, 80, 160, 400]

type Value = 'median' | 'ninetieth'

/** Positions are percentages, so that lines and text keep their size at every width. */
export function FirstReplyPlot({ weeks, target }: { weeks: readonly Week[]; target: number | null }) {
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
