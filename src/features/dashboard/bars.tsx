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
export function Bars({ caption, columns: [rows, figures], bars }: BarsProps) {
  const max = Math.max(...bars.map(({ count }) => count), 1)
  return (
    <table className="dashboard-bars">
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{rows}</th>
          <th scope="col">{figures}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, count, href, isLate = false }) => (
          <tr key={key}>
            <th scope="row" dir="auto">
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
