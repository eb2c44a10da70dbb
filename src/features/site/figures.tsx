import type { Content } from '../../content/schema.ts'

type Figure = Content['visaCategories'][number]['figures'][number]

const dateFormat = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `2026-07-01` → `1 July 2026`. */
export function formatDate(isoDate: string): string {
  return dateFormat.format(new Date(isoDate))
}

/** Figures from the law, each with its date and source. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className="law-figures">
      {figures.map(({ label, value, asAt, source }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <strong>{value}</strong> <AsAt date={asAt} source={source} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function AsAt({ date, source }: { date: string; source: Figure['source'] }) {
  return (
    <span className="as-at">
      as at {formatDate(date)}, <a href={source.url}>{source.label}</a>
    </span>
  )
}
